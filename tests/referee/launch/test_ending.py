"""Whatever is killed, nothing that was started is left."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.launch import launcher
from referee.launch.launcher import SpawnFailure
from tests.referee.launch.bench import DEADLINE_S, Bench, Watch, descendants

LEFT_S_MAX = 5.0  # after which nothing may be left

STUBBORN = (
    "import signal, sys\n"
    "for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)\n"
    "open(sys.argv[1], 'w').write('ready\\n')\n"
    "while True: signal.pause()\n"
)
# Starts a stubborn process in a session of its own, reports its number, and goes on or ends itself.
ESCAPE = (
    "import os, subprocess, sys, signal\n"
    "program, mailbox, stay, environment = sys.argv[1:]\n"
    "child = subprocess.Popen([sys.executable, '-c', program, '/dev/null'], start_new_session=True,\n"
    "                         env=None if environment == 'kept' else {})\n"
    "open(mailbox, 'w').write(f'{child.pid}\\n')\n"
    "while stay == 'stay': signal.pause()\n"
)


async def test_a_bot_that_obeys_is_not_killed(bench: Bench) -> None:
    process = await bench.python(
        "import signal, sys\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])\n"
        "open(sys.argv[1], 'w').write('ready\\n')\n"
        "signal.sigwait([signal.SIGTERM])\n"
        "sys.exit(7)\n"
    )
    await bench.mailbox.next()

    how = await bench.launcher.end(process, grace_s=DEADLINE_S)

    assert (how.exit_code, how.asked) == (7, True)
    assert await bench.launcher.end(process) == how


async def test_a_bot_that_ignores_the_request_is_killed_after_its_grace(bench: Bench) -> None:
    process = await bench.python(STUBBORN)
    await bench.mailbox.next()
    start_s = time.monotonic()

    how = await bench.launcher.end(process, grace_s=0.2)

    assert how.exit_code == -signal.SIGKILL
    assert 0.2 <= time.monotonic() - start_s < LEFT_S_MAX


@pytest.mark.parametrize("environment", ["kept", "wiped"])
@pytest.mark.parametrize("stay", ["stay", "leave"])
async def test_grandchildren_in_their_own_session_end_with_the_bot(
    bench: Bench, stay: str, environment: str
) -> None:
    process = await bench.run(sys.executable, "-c", ESCAPE, STUBBORN, str(bench.mailbox.path), stay, environment)
    grandchild = int(await bench.mailbox.next())
    if stay == "stay":
        watch = Watch([grandchild])
        await bench.launcher.end(process, grace_s=0)
    else:
        await bench.exit_of(process)
        with pytest.raises(ProcessLookupError):  # the exit is reported when all have gone
            os.kill(grandchild, 0)
        return

    assert watch.survivors(0.1) == []


async def test_a_process_that_forks_and_ends_for_ever_is_overtaken(bench: Bench) -> None:
    process = await bench.python(
        "import os, signal, sys\n"
        "if os.fork():\n"
        "    while True: signal.pause()\n"
        "os.setsid()\n"
        "open(sys.argv[1], 'w').write('ready\\n')\n"
        "while True:\n"
        "    if os.fork(): os._exit(0)\n"
    )
    await bench.mailbox.next()

    how = await asyncio.wait_for(bench.launcher.end(process, grace_s=0), DEADLINE_S)

    assert how.left == ()
    assert bench.left_over() == []


async def test_the_end_of_one_bot_leaves_the_others_and_their_children_alone(bench: Bench) -> None:
    other = await bench.run(sys.executable, "-c", ESCAPE, STUBBORN, str(bench.mailbox.path), "stay", "kept")
    child = int(await bench.mailbox.next())
    # The third bot has an orphan: its parent, a shell, has ended, so the supervisor has adopted it.
    orphaning = 'sh -c \'setsid sleep 1000 & echo $! >"$1"\' sh "$1"; exec sleep 1000'
    third = await bench.run("sh", "-c", orphaning, "sh", str(bench.mailbox.path))
    orphan = int(await bench.mailbox.next())

    await bench.exit_of(await bench.run("true"))
    await bench.launcher.end(await bench.run("sleep", "1000"))

    assert other.exit is None
    assert third.exit is None
    watch = Watch([child, orphan])
    for pid in (child, orphan):
        os.kill(pid, 0)  # raises where there is none
    await asyncio.gather(*(bench.launcher.end(process, grace_s=0) for process in (other, third)))
    assert watch.survivors(0.1) == []


async def test_closing_ends_every_bot_and_the_supervisor(bench: Bench) -> None:
    processes = [await bench.python(STUBBORN), await bench.run("sleep", "1000")]
    await bench.mailbox.next()
    keeper = bench.launcher._supervisor
    assert keeper is not None
    watch = Watch([keeper.pid, *descendants(keeper.pid)])  # not what other tests of this process have started

    await asyncio.wait_for(bench.launcher.close(grace_s=0.1), DEADLINE_S)

    assert [process.exit_code for process in processes] == [-signal.SIGKILL, -signal.SIGTERM]
    assert all(how.asked for _, how in bench.exits)
    assert watch.survivors(LEFT_S_MAX) == []


@pytest.mark.parametrize("victim", ["keeper", "supervisor"])
async def test_bots_lost_with_their_supervisor_are_the_hosts_fault(bench: Bench, victim: str) -> None:
    process = await bench.run("sleep", "1000")
    keeper = bench.launcher._supervisor
    assert keeper is not None
    inner = descendants(keeper.pid)[0]
    watch = Watch([keeper.pid, inner, process.pid])

    os.kill(keeper.pid if victim == "keeper" else inner, signal.SIGKILL)
    how = await bench.exit_of(process)

    assert (how.host, how.asked) == (True, False)
    assert str(how) == "was killed because the supervisor of local bots was lost"
    assert watch.survivors(LEFT_S_MAX) == []
    assert isinstance(await bench.attempt("true"), SpawnFailure)
    await bench.launcher.start()  # a new one can be had
    assert (await bench.exit_of(await bench.run("true"))).exit_code == 0


@pytest.mark.parametrize("stopped", ["keeper", "supervisor"])
async def test_a_supervisor_that_hangs_is_killed_and_holds_nobody_up(
    bench: Bench, stopped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "_END_S_MAX", 0.2)
    monkeypatch.setattr(launcher, "_CLEAN_S_MAX", 0.2)
    process = await bench.run("sleep", "1000")
    keeper = bench.launcher._supervisor
    assert keeper is not None
    inner = descendants(keeper.pid)[0]
    watch = Watch([keeper.pid, inner, process.pid])

    os.kill(keeper.pid if stopped == "keeper" else inner, signal.SIGSTOP)
    how = await asyncio.wait_for(bench.launcher.end(process, grace_s=0), DEADLINE_S)
    await asyncio.wait_for(bench.launcher.close(grace_s=0), DEADLINE_S)

    assert how.asked
    assert watch.survivors(LEFT_S_MAX) == []


async def test_signals_of_the_terminal_do_not_reach_supervisor_or_bots(bench: Bench) -> None:
    process = await bench.run("sleep", "1000")
    keeper = bench.launcher._supervisor
    assert keeper is not None

    for pid in (keeper.pid, *descendants(keeper.pid)[:1]):
        assert os.getpgid(pid) != os.getpgid(0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(pid, number)
    assert os.getpgid(process.pid) == process.pid

    assert (await bench.exit_of(await bench.run("true"))).exit_code == 0
    assert process.exit is None


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A process with a launcher and one bot of each kind; yields it and every process below it."""
    program = Path(__file__).with_name("referee_like.py")
    process = subprocess.Popen(
        [sys.executable, str(program), str(tmp_path), STUBBORN, ESCAPE], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    pids = json.loads(process.stdout.readline())
    yield process, pids
    process.kill()
    process.wait()
    process.stdout.close()


def test_sigkill_leaves_nothing_even_where_another_process_holds_the_referees_pipes(tmp_path: Path) -> None:
    program = Path(__file__).with_name("referee_like.py")
    process = subprocess.Popen(
        [sys.executable, str(program), str(tmp_path), STUBBORN, ESCAPE, "and fork"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    holder = json.loads(process.stdout.readline())[-1]
    watch = Watch([pid for pid in descendants(process.pid) if pid != holder])

    process.kill()
    process.wait()

    survivors = watch.survivors(LEFT_S_MAX)
    os.kill(holder, signal.SIGKILL)  # it was there all the time
    process.stdout.close()
    assert survivors == []


@pytest.mark.parametrize("victims", ["referee", "keeper", "supervisor", "referee while the supervisor is stopped"])
def test_sigkill_leaves_nothing(referee: tuple[subprocess.Popen[str], list[int]], victims: str) -> None:
    process, bots = referee
    keeper, supervisor = descendants(process.pid)[:2]
    below = descendants(process.pid)
    assert set(bots) <= set(below)
    watch = Watch(below)

    match victims:
        case "keeper":
            os.kill(keeper, signal.SIGKILL)
        case "supervisor":
            os.kill(supervisor, signal.SIGKILL)
        case "referee":
            process.kill()
        case _:
            os.kill(supervisor, signal.SIGSTOP)
            process.kill()

    assert watch.survivors(LEFT_S_MAX) == []


def test_bots_die_even_when_keeper_and_supervisor_are_killed_at_once(
    referee: tuple[subprocess.Popen[str], list[int]],
) -> None:
    """Their parent-death signal sees to it. It is not inherited, so escaped grandchildren are beyond it."""
    process, _ = referee
    keeper, supervisor = descendants(process.pid)[:2]
    bots = [pid for pid in descendants(supervisor) if os.getpgid(pid) == pid and _parent_of(pid) == supervisor]
    escaped = [pid for pid in descendants(supervisor) if pid not in bots]
    assert (len(bots), len(escaped)) == (4, 2)
    watch = Watch(bots)

    os.kill(keeper, signal.SIGSTOP)
    os.kill(supervisor, signal.SIGKILL)
    os.kill(keeper, signal.SIGKILL)

    survivors = watch.survivors(LEFT_S_MAX)
    for pid in escaped:
        os.kill(pid, signal.SIGKILL)
    assert survivors == []


def _parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
