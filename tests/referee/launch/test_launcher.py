"""Starting processes, and what is known of them afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from referee.launch.launcher import BotProcess, Launcher, LauncherError, LaunchRequest, SpawnFailure
from referee.launch.limits import Limits
from referee.launch.process_log import read_log
from tests.referee.launch.bench import DEADLINE_S, Bench


async def test_a_process_that_ends_by_itself_is_reported_with_its_code_and_output(bench: Bench) -> None:
    process = await bench.run("sh", "-c", "echo to stdout; echo to stderr >&2; exit 3")

    how = await bench.exit_of(process)

    assert (how.exit_code, how.asked, how.host, how.left) == (3, False, False, ())
    assert str(how) == "exited with code 3"
    assert process.exit_code == 3
    assert process.stderr_tail() == ["to stdout", "to stderr"]
    assert bench.exits == [("bot", how)]


async def test_a_crash_is_told_by_the_name_of_its_signal(bench: Bench) -> None:
    process = await bench.python("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")

    how = await bench.exit_of(process)

    assert str(how) == "was killed by SIGSEGV"
    assert how.exit_code == -signal.SIGSEGV


async def test_a_process_that_ends_at_once_is_started_and_ended(bench: Bench) -> None:
    process = await bench.run("true")

    assert (await bench.exit_of(process)).exit_code == 0


@pytest.mark.parametrize(
    ("content", "mode", "sentence"),
    [
        (None, 0, "'./program' does not exist in"),
        (b"#!/bin/sh\n", 0o644, "'./program' is not executable: run 'chmod +x'"),
        (b"\x7fELF\x02\x01\x01" + bytes(57), 0o755, "'./program' is no program for this system"),
        (b"#!/no/such/interpreter\n", 0o755, "the interpreter its first line names is not installed"),
    ],
    ids=["missing", "not executable", "for another processor", "no interpreter"],
)
async def test_a_program_that_cannot_be_started_is_explained(
    bench: Bench, content: bytes | None, mode: int, sentence: str
) -> None:
    if content is not None:
        (bench.folder / "program").write_bytes(content)
        (bench.folder / "program").chmod(mode)

    failure = await bench.attempt("./program")

    assert isinstance(failure, SpawnFailure)
    assert sentence in failure.message
    assert not failure.host
    assert bench.exits == []


async def test_a_program_that_is_not_on_path_a_folder_that_is_gone_and_one_that_is_run_are_explained(
    bench: Bench,
) -> None:
    missing = await bench.attempt("no-such-runtime", "bot")
    homeless = await bench.attempt("true", cwd=bench.folder / "gone")
    folder = await bench.attempt("../")

    assert isinstance(folder, SpawnFailure)
    assert folder.message == "'../' is a folder and no program"
    assert isinstance(missing, SpawnFailure)
    assert "'no-such-runtime' is not installed" in missing.message
    assert isinstance(homeless, SpawnFailure)
    assert homeless.message == f"the folder {bench.folder / 'gone'} does not exist"


async def test_a_command_longer_than_a_message_is_a_failure_and_hurts_nobody(bench: Bench) -> None:
    failure = await bench.attempt("true", "x" * (1 << 20))

    assert isinstance(failure, SpawnFailure)
    assert "too long" in failure.message
    assert (await bench.exit_of(await bench.run("true"))).exit_code == 0


async def test_a_log_that_cannot_be_written_is_the_hosts_failure(bench: Bench) -> None:
    logs = bench.folder / "logs"
    logs.rename(bench.folder / "moved")

    failure = await bench.attempt("true")

    (bench.folder / "moved").rename(logs)
    assert isinstance(failure, SpawnFailure)
    assert failure.host
    assert "cannot be written: No such file or directory" in failure.message


async def test_a_bot_sees_its_own_environment_and_no_secret_of_the_referee(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")

    process = await bench.run("env", env=bench.env | {"HEARTS_TOKEN": "abc"})
    await bench.exit_of(process)

    names = {line.partition("=")[0] for line in process.stderr_tail(100)}
    assert {"HEARTS_TOKEN", "HEARTS_PROCESS", "PATH"} <= names
    assert "DATABASE_PASSWORD" not in names


async def test_a_bot_runs_in_its_folder_with_limits_and_nothing_else_open(bench: Bench) -> None:
    process = await bench.python(
        "import os, resource as r\n"
        "print(os.getcwd())\n"
        "numbers = r.RLIMIT_CORE, r.RLIMIT_NOFILE, r.RLIMIT_DATA, r.RLIMIT_FSIZE\n"
        "print(*(r.getrlimit(number)[0] for number in numbers))\n"
        "print(*sorted(fd for fd in os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{fd}')))\n"
        "print(os.readlink('/proc/self/fd/0'), os.getsid(0) == os.getpid())\n",
        limits=Limits(memory_mb=300, files_max=99, file_mb=2),
    )
    await bench.exit_of(process)

    assert process.stderr_tail() == [
        str(bench.folder),
        f"0 99 {300 << 20} {2 << 20}",
        "0 1 2",
        "/dev/null True",
    ]


async def test_signals_of_the_terminal_are_not_ignored_by_bots(bench: Bench) -> None:
    process = await bench.python(
        "import signal\n"
        "print(*(signal.getsignal(s) is signal.SIG_IGN for s in (signal.SIGTERM, signal.SIGHUP)))\n"
        "print(signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    )
    await bench.exit_of(process)

    assert process.stderr_tail() == ["False False", "set()"]


async def test_a_memory_limit_stops_the_bot_that_exceeds_it(bench: Bench) -> None:
    process = await bench.python("bytearray(400 << 20)", limits=Limits(memory_mb=200))

    how = await bench.exit_of(process)

    assert how.exit_code == 1
    assert process.stderr_tail(1) == ["MemoryError"]


async def test_a_window_of_the_log_holds_what_was_written_between_two_positions(bench: Bench) -> None:
    os.mkfifo(bench.folder / "next")
    process = await bench.python(
        "import sys; print('before', flush=True); open(sys.argv[1], 'w').write('here\\n');"
        "open('next').read(); print('after')"
    )
    await bench.mailbox.next()
    position = process.log_position()
    (bench.folder / "next").write_text("on")  # blocks until the bot opens it
    await bench.exit_of(process)

    window = read_log(process.log, position)

    assert b"| after\n" in window
    assert b"started" not in window


async def test_a_flood_of_output_is_cut_in_the_middle_and_says_so(bench: Bench) -> None:
    process = await bench.python("for i in range(60_000): print(f'{i:06} ' + 50 * 'x')")
    await bench.exit_of(process)

    text = read_log(process.log).decode()

    assert "| 000000 xxx" in text
    assert " bytes cut]\n" in text
    assert process.stderr_tail(1) == ["059999 " + 50 * "x"]
    kept = sum(path.stat().st_size for path in (bench.folder / "logs").rglob("*") if path.is_file())
    assert kept < 1100 * 1024
    assert process.log_position() > 5_000_000  # positions count what was cut


async def test_a_process_that_was_asked_to_end_and_had_written_nothing_leaves_no_log(bench: Bench) -> None:
    silent = await bench.python("import time; time.sleep(1000)")
    talking = await bench.python("print('here', flush=True); import time; time.sleep(1000)")
    while not talking.stderr_tail():  # noqa: ASYNC110  # a process starts
        await asyncio.sleep(0.01)
    failing = await bench.python("raise SystemExit(3)")
    await bench.exit_of(failing)
    for process in (silent, talking):
        await bench.launcher.end(process)

    assert [process.log.exists() for process in (silent, talking, failing)] == [False, True, True]


async def test_paths_and_arguments_may_hold_blanks_quotes_and_any_letters(bench: Bench) -> None:
    folder = bench.folder / 'Żuraw "2" $HOME'
    folder.mkdir()
    (folder / "run me.sh").write_text('#!/bin/sh\nprintf "%s\\n" "$PWD" "$@"\n')
    (folder / "run me.sh").chmod(0o755)

    process = await bench.run("./run me.sh", "a b", "*", "ż;exit", cwd=folder, label='Żuraw "2"/../x')
    await bench.exit_of(process)

    assert process.stderr_tail() == [str(folder), "a b", "*", "ż;exit"]
    assert process.log.parent == bench.folder / "logs"


async def test_a_launcher_is_a_context_that_leaves_nothing_running(tmp_path: Path) -> None:
    async with Launcher(tmp_path) as launcher:
        process = await launcher.launch(LaunchRequest(label="bot", argv=("sleep", "1000"), cwd=tmp_path))
        assert isinstance(process, BotProcess)

    assert process.exit_code == -signal.SIGTERM


async def test_a_system_without_the_means_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "waitid")

    with pytest.raises(LauncherError, match="connect them as remote bots"):
        await Launcher(tmp_path).start()


async def test_launchers_may_share_a_folder_of_logs(bench: Bench) -> None:
    other = Launcher(bench.folder / "logs")
    await other.start()
    first = await bench.run("echo", "first")
    second = await other.launch(LaunchRequest(label="bot", argv=("echo", "second"), cwd=bench.folder))
    assert isinstance(second, BotProcess)
    await asyncio.gather(bench.exit_of(first), bench.exit_of(second))
    await other.close()

    assert (first.stderr_tail(), second.stderr_tail()) == (["first"], ["second"])


async def test_bots_start_and_end_beside_a_running_grpc_server(tmp_path: Path) -> None:
    import grpc.aio

    server = grpc.aio.server()
    port = server.add_insecure_port(f"unix:{tmp_path / 'socket'}")
    await server.start()
    async with grpc.aio.insecure_channel(f"unix:{tmp_path / 'socket'}") as channel:
        await asyncio.wait_for(channel.channel_ready(), DEADLINE_S)
        launcher = Launcher(tmp_path / "logs")
        await launcher.start()
        process = await launcher.launch(LaunchRequest(label="bot", argv=("true",), cwd=tmp_path))
        assert isinstance(process, BotProcess)
        how = await asyncio.wait_for(process.exited(), DEADLINE_S)
        await launcher.close()
    await server.stop(None)

    assert port
    assert how.exit_code == 0


async def test_fifty_bots_at_once_get_a_log_each_and_all_end(bench: Bench) -> None:
    requests = [
        LaunchRequest(label=f"bot {i}", argv=("sh", "-c", f"echo {i}; exec sleep 1000"), cwd=bench.folder)
        for i in range(50)
    ]
    processes = await asyncio.gather(*(bench.launcher.launch(request) for request in requests))
    bots = [process for process in processes if isinstance(process, BotProcess)]

    assert len({bot.log for bot in bots}) == 50
    assert len(bench.launcher.processes) == 50

    codes = await asyncio.gather(*(bench.launcher.end(bot) for bot in bots))

    assert {how.exit_code for how in codes} == {-signal.SIGTERM}
    assert bench.launcher.processes == ()


async def test_a_launch_whose_caller_was_cancelled_leaves_no_process(bench: Bench) -> None:
    request = LaunchRequest(label="unwanted", argv=("sleep", "1000"), cwd=bench.folder)
    task = asyncio.create_task(bench.launcher.launch(request))
    await asyncio.sleep(0)  # one turn of the loop: the command is on its way
    task.cancel()
    await asyncio.wait({task})

    await bench.exit_of(await bench.run("true"))  # the supervisor answers in order, so the other was started

    assert task.cancelled()
    await asyncio.wait_for(bench.launcher.close(grace_s=0), DEADLINE_S)
    assert [label for label, how in bench.exits if how.asked] == ["unwanted"]


async def test_a_callback_that_raises_does_not_stop_the_watching(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a mistake of the caller")

    launcher = Launcher(tmp_path, on_exit=fail)
    await launcher.start()
    for _ in range(2):
        process = await launcher.launch(LaunchRequest(label="bot", argv=("true",), cwd=tmp_path))
        assert isinstance(process, BotProcess)
        assert (await asyncio.wait_for(process.exited(), DEADLINE_S)).exit_code == 0
    await launcher.close()

    assert "on_exit failed" in caplog.text


async def test_nothing_is_launched_before_the_start_or_after_the_end(tmp_path: Path) -> None:
    launcher = Launcher(tmp_path)
    request = LaunchRequest(label="bot", argv=("true",), cwd=tmp_path)

    early = await launcher.launch(request)
    await launcher.start()
    await launcher.close()
    await launcher.close()
    late = await launcher.launch(request)

    for failure in (early, late):
        assert isinstance(failure, SpawnFailure)
        assert failure.host
        assert failure.message == "the supervisor of local bots does not run"


async def test_a_supervisor_that_cannot_be_started_is_an_error_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(python))

    with pytest.raises(LauncherError, match=r"supervisor\.log says why"):
        await Launcher(tmp_path / "logs").start()

    assert (tmp_path / "logs" / "supervisor.log").read_text() == "broken\n"


async def test_an_enclosure_changes_the_command_that_is_started(tmp_path: Path) -> None:
    def inside(request: LaunchRequest) -> LaunchRequest:
        return LaunchRequest(label=request.label, argv=("echo", "enclosed", *request.argv), cwd=request.cwd)

    launcher = Launcher(tmp_path, enclosure=inside)
    await launcher.start()
    process = await launcher.launch(LaunchRequest(label="bot", argv=("bot", "run"), cwd=tmp_path))
    assert isinstance(process, BotProcess)
    await asyncio.wait_for(process.exited(), DEADLINE_S)
    await launcher.close()

    assert process.stderr_tail() == ["enclosed bot run"]


def test_the_supervisor_imports_nothing_heavy() -> None:
    program = "import sys, referee.launch.supervisor; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    heavy = {"grpc", "google", "hearts", "asyncio", "typer", "sqlalchemy", "numpy"}
    assert {name.partition(".")[0] for name in loaded.stdout.split()} & heavy == set()
