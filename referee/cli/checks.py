"""What `hearts doctor` looks at. Each check returns what it found; none of them raises."""

from __future__ import annotations

import asyncio
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import metadata
from pathlib import Path

from referee.launch.scratch import Scratch

DISK_BYTES_WARN = 2 << 30
DISK_BYTES_MIN = 200 << 20
FILES_WARN = 1_024
RESOLUTION_S_WARN = 1e-4
RESOLUTION_S_MAX = 1e-2
_PROGRAM_S_MAX = 10.0
_ROUND_TRIPS = 50
TOOLCHAINS = {
    "node": ("JavaScript and TypeScript", ("node", "--version")),
    "go": ("Go", ("go", "version")),
    "cargo": ("Rust", ("cargo", "--version")),
    "java": ("Java", ("java", "-version")),
    "g++": ("C++", ("g++", "--version")),
}


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"  # something is missing that not everybody needs
    FAIL = "fail"  # tournaments cannot be run here


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check found; `advice` says what to do, empty where nothing is needed."""

    check: str
    level: Level
    found: str
    advice: str = ""


def python() -> Finding:
    """Version and kind of the interpreter."""
    found = f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
    if sys.version_info < (3, 11):  # noqa: UP036  told apart from a wrong installation
        return Finding(check="python", level=Level.FAIL, found=found, advice="install Python 3.11 or newer")
    return Finding(check="python", level=Level.OK, found=found)


def stubs() -> Finding:
    """Whether the generated code accepts the grpc and protobuf installed, and protobuf is the fast one."""
    found = " and ".join(f"{name} {_version(name)} ({_floor(name)} needed)" for name in ("grpcio", "protobuf"))
    try:
        from google.protobuf.internal import api_implementation

        import referee.wire.server  # noqa: F401  imports all generated code, which checks the versions itself
    except Exception as error:  # noqa: BLE001  a runtime that does not fit raises whatever it likes
        advice = f"they refuse the generated code ({error}): reinstall hearts-arena in an environment of its own"
        return Finding(check="grpc", level=Level.FAIL, found=found, advice=advice)
    kind = api_implementation.Type()
    if kind != "upb":
        advice = "this protobuf is many times slower: install a wheel for this platform"
        return Finding(check="grpc", level=Level.WARN, found=f"{found}, {kind}", advice=advice)
    return Finding(check="grpc", level=Level.OK, found=f"{found}, upb")


def unix_socket() -> Finding:
    """Round trips over grpc and a unix socket: the way of every local bot."""
    try:
        micros = asyncio.run(_round_trips())
    except Exception as error:  # noqa: BLE001  whatever it is, it is the finding
        return Finding(
            check="unix socket",
            level=Level.FAIL,
            found=f"{type(error).__name__}: {error}".splitlines()[0],
            advice="grpc cannot talk over a unix socket here, so no local bot can play",
        )
    found = f"round trip {statistics.median(micros):.0f} µs, worst of {len(micros)}: {max(micros):.0f} µs"
    return Finding(check="unix socket", level=Level.OK, found=found)


async def _round_trips() -> list[float]:
    import grpc

    async def echo(request: bytes, _context: object) -> bytes:
        return request

    handler = grpc.method_handlers_generic_handler("doctor", {"Echo": grpc.unary_unary_rpc_method_handler(echo)})
    with Scratch() as folder:
        address = f"unix:{folder}/s"
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((handler,))
        server.add_insecure_port(address)
        await server.start()
        micros = []
        try:
            async with grpc.aio.insecure_channel(address) as channel:
                call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/doctor/Echo")
                await call(b"", timeout=5)
                for _ in range(_ROUND_TRIPS):
                    start = time.perf_counter()
                    await call(b"x", timeout=5)
                    micros.append((time.perf_counter() - start) * 1e6)
        finally:
            await server.stop(None)
        return micros


def launcher() -> Finding:
    """Whether the supervisor of local bots comes up."""
    from referee.launch.launcher import Launcher, LauncherError

    async def start_and_end(logs: Path) -> float:
        launcher = Launcher(logs)
        start = time.perf_counter()
        await launcher.start()
        elapsed_ms = (time.perf_counter() - start) * 1000
        await launcher.close(grace_s=0)
        return elapsed_ms

    with Scratch() as folder:
        try:
            elapsed_ms = asyncio.run(start_and_end(folder))
        except (LauncherError, OSError) as error:
            return Finding(
                check="launcher", level=Level.FAIL, found=str(error), advice="local bots cannot be started"
            )
    if sys.platform != "linux":
        return Finding(
            check="launcher",
            level=Level.WARN,
            found=f"up in {elapsed_ms:.0f} ms",
            advice="clean-up is surest on Linux: use it for tournaments that count",
        )
    return Finding(check="launcher", level=Level.OK, found=f"up in {elapsed_ms:.0f} ms")


def disk(folder: Path) -> Finding:
    """Free space where tournaments are kept."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding(
            check="disk",
            level=Level.FAIL,
            found=f"{folder}: {error.strerror}",
            advice="name a folder that is there",
        )
    found = f"{free / (1 << 30):.1f} GiB free at {folder}"
    if free < DISK_BYTES_MIN:
        return Finding(check="disk", level=Level.FAIL, found=found, advice="free some space")
    if free < DISK_BYTES_WARN:
        advice = "enough for small tournaments: a million deals need about 2 GiB"
        return Finding(check="disk", level=Level.WARN, found=found, advice=advice)
    return Finding(check="disk", level=Level.OK, found=found)


def clock() -> Finding:
    """Resolution of the clock that measures bots."""
    info = time.get_clock_info("monotonic")
    smallest = min(_smallest_step() for _ in range(5))
    resolution = max(info.resolution, smallest)
    found = f"{info.implementation}, steps of {resolution * 1e6:.3g} µs"
    if resolution > RESOLUTION_S_MAX:
        return Finding(check="clock", level=Level.FAIL, found=found, advice="too coarse to judge thinking times")
    if resolution > RESOLUTION_S_WARN:
        return Finding(check="clock", level=Level.WARN, found=found, advice="short thinking times will be coarse")
    return Finding(check="clock", level=Level.OK, found=found)


def _smallest_step() -> float:
    start = now = time.monotonic_ns()
    while now == start:
        now = time.monotonic_ns()
    return (now - start) / 1e9


def open_files() -> Finding:
    """The limit on open files, of which a bot takes a few."""
    try:
        import resource
    except ImportError:
        return Finding(check="open files", level=Level.OK, found="no limit known on this system")
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < FILES_WARN:
        advice = "raise it for many bots: ulimit -n 4096"
        return Finding(check="open files", level=Level.WARN, found=f"at most {soft}", advice=advice)
    return Finding(check="open files", level=Level.OK, found=f"at most {soft}")


def toolchain(program: str) -> Finding:
    """Whether bots in a language can be built and run."""
    language, command = TOOLCHAINS[program]
    if shutil.which(program) is None:
        return Finding(
            check=program, level=Level.WARN, found="not installed", advice=f"bots in {language} will be left out"
        )
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_PROGRAM_S_MAX, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding(
            check=program,
            level=Level.WARN,
            found=f"does not run: {error}",
            advice=f"reinstall it for bots in {language}",
        )
    said = (done.stdout or done.stderr).strip().splitlines() or ["?"]
    number = re.search(r"\d+(\.\d+)+", said[0])
    return Finding(check=program, level=Level.OK, found=number[0] if number else said[0][:40])


def sandbox() -> Finding:
    """Whether the tool for a future sandbox is there."""
    there = "installed" if shutil.which("bwrap") else "not installed"
    return Finding(check="bwrap", level=Level.OK, found=f"{there}; not used yet, bots run unsandboxed")


def elo_package() -> Finding:
    """Which implementation computes the online Elo."""
    try:
        version = metadata.version("elo")
    except metadata.PackageNotFoundError:
        return Finding(check="elo", level=Level.OK, found="package not installed; the equal built-in is used")
    return Finding(check="elo", level=Level.OK, found=f"package {version}")


def terminal() -> Finding:
    """Whether progress can be shown in place, and letters beyond ASCII."""
    if not sys.stderr.isatty():
        return Finding(check="terminal", level=Level.OK, found="none: progress is printed line by line")
    encoding = sys.stdout.encoding or "ascii"
    columns = shutil.get_terminal_size().columns
    found = f"{columns} columns, {encoding}"
    if encoding.lower().replace("-", "") != "utf8":
        advice = "names and tables need UTF-8: set PYTHONUTF8=1"
        return Finding(check="terminal", level=Level.WARN, found=found, advice=advice)
    if columns < 80:
        return Finding(check="terminal", level=Level.WARN, found=found, advice="tables need 80 columns")
    return Finding(check="terminal", level=Level.OK, found=found)


def all_checks(folder: Path) -> list[Callable[[], Finding]]:
    """Every check, in the order in which they are shown."""
    return [
        python,
        stubs,
        unix_socket,
        launcher,
        partial(disk, folder),
        clock,
        open_files,
        *(partial(toolchain, program) for program in TOOLCHAINS),
        sandbox,
        elo_package,
        terminal,
    ]


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _floor(distribution: str) -> str:
    """The oldest version that the generated code accepts, as this distribution declares it."""
    for requirement in metadata.requires("hearts-arena") or ():
        if found := re.match(rf"{distribution}\s*[(]?.*?>=\s*([\d.]+)", requirement):
            return found[1]
    return "any"
