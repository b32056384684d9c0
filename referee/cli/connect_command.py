"""`hearts connect`: a bot of mine, run against a referee elsewhere."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.assets import bot_folder
from referee.cli.bot_keeper import BotKeeper, Ending, how_text
from referee.cli.console import JsonOption, QuietOption, count_text, emit_json, note
from referee.cli.errors import ExitCode, Failure
from referee.launch.environment import build_environment, run_environment
from referee.launch.manifest import BotManifest, load_manifest, toolchain_missing
from referee.wire.dial import NobodyThereError, RefusedError, SpeaksOtherwiseError, knock

_PORT_MAX = 65535
_ADDRESS = re.compile(r"(unix:.+|(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):([1-9]\d{0,4}))")


def connect(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="Folder with a bot.toml, or name of a sample bot.")],
    to: Annotated[
        str, typer.Option("--to", envvar="HEARTS_REFEREE", metavar="HOST:PORT", help="Where the referee listens.")
    ],
    token: Annotated[
        str, typer.Option("--token", envvar="HEARTS_TOKEN", help="The token that the organiser gave you.")
    ],
    ca: Annotated[
        Path | None,
        typer.Option(
            "--ca",
            envvar="HEARTS_CA",
            metavar="FILE",
            help="The organiser's CA certificate: use TLS, trust it.",
        ),
    ] = None,
    instance: Annotated[str, typer.Option(help="Tells several processes with the same token apart.")] = "",
    wait_s: Annotated[float, typer.Option(min=0.1, help="How long to wait for the referee, in seconds.")] = 30,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Run my bot against a referee elsewhere until it says farewell; start the bot again when it dies.

    Exit codes: 0 the referee said farewell, 2 it refused the token or --ca is missing or too much, 3 the bot died
    too often, 4 nobody answers, 5 stopped by Ctrl-C (the same command goes on: a bot may come back in the middle of
    a match).
    """
    address = _ADDRESS.fullmatch(to)
    if address is None or int(address[3] or 0) > _PORT_MAX:
        raise Failure(f"--to {to!r}: give the referee's address as HOST:PORT, such as hearts.example.org:7777")
    manifest = load_manifest(bot_folder(bot))
    missing = toolchain_missing(manifest)
    if missing is not None:
        raise Failure(f"{manifest.name}: {missing}", ExitCode.UNFIT)
    trusted = ca.read_bytes() if ca is not None else None
    _build(manifest, quiet=quiet)
    given = {"HEARTS_REFEREE": to, "HEARTS_TOKEN": token, "HEARTS_INSTANCE": instance, "HEARTS_BOT": manifest.name}
    if ca is not None:
        given["HEARTS_CA"] = str(ca.absolute())
    keeper = BotKeeper(
        argv=manifest.run,
        cwd=manifest.folder,
        env=run_environment(os.environ) | given,
        say=lambda text: note(text, quiet=quiet),
        now_s=time.monotonic,
    )
    try:
        ending = asyncio.run(_run(keeper, to, token, trusted, wait_s=wait_s, quiet=quiet))
    except NobodyThereError as error:
        text = _nobody(to, wait_s, has_ca=ca is not None, is_listening=error.is_listening)
        raise Failure(text, ExitCode.UNFIT) from None
    except SpeaksOtherwiseError as error:
        raise Failure(_otherwise(to, is_tls=error.is_tls)) from None
    except RefusedError as error:
        raise Failure(f"{to} refuses the bot: {error}") from None
    if as_json:
        emit_json(
            {"bot": manifest.name, "restarts": ending.restarts, "stopped": ending.is_stopped, "code": ending.code}
        )
    _report(ending, manifest, quiet=quiet)


async def _run(keeper: BotKeeper, to: str, token: str, ca: bytes | None, *, wait_s: float, quiet: bool) -> Ending:
    note(f"trying {to} …", quiet=quiet)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    knocking = asyncio.ensure_future(knock(to, token, ca, wait_s=wait_s))
    stopped = asyncio.ensure_future(stop.wait())
    await asyncio.wait({knocking, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if not knocking.done():
        knocking.cancel()
        return Ending(None, 0, is_stopped=True)
    knocking.result()
    stopped.cancel()
    note(f"{to} is there; playing until it says farewell (Ctrl-C stops)", quiet=quiet)
    return await keeper.run(stop)


def _build(manifest: BotManifest, *, quiet: bool) -> None:
    for command in manifest.build:
        note(f"building {manifest.name}: {' '.join(command)}", quiet=quiet)
        done = subprocess.run(
            command, cwd=manifest.folder, env=build_environment(os.environ), capture_output=True, check=False
        )
        if done.returncode != 0:
            tail = (done.stdout + done.stderr).decode(errors="replace").splitlines()[-10:]
            lines = "".join(f"\n    {line}" for line in tail)
            how = f"{command[0]} {how_text(done.returncode)}{lines}"
            raise Failure(f"{manifest.name} could not be built: {how}")


def _nobody(to: str, wait_s: float, *, has_ca: bool, is_listening: bool) -> str:
    """Tell nobody there from somebody who speaks otherwise: plain instead of TLS, or by another certificate."""
    if not is_listening:
        return f"no referee answered at {to} within {wait_s:g} s: nobody listens there: check address and port"
    advice = (
        "check that --ca is the organiser's certificate and names this host, and that the port is the referee's"
        if has_ca
        else "a referee that uses TLS needs --ca FILE, the organiser's certificate; else check the port"
    )
    how = "by TLS with this --ca" if has_ca else "without TLS"
    return f"no referee answered at {to} within {wait_s:g} s: somebody listens there, but not {how}: {advice}"


def _otherwise(to: str, *, is_tls: bool) -> str:
    """Say what to change so that bot and referee both speak TLS, or neither."""
    if is_tls:
        return f"the referee at {to} speaks TLS: give --ca FILE, the organiser's CA certificate"
    return (
        f"the referee at {to} does not speak TLS: leave out --ca and unset HEARTS_CA, "
        "or check that the port is the one where it does"
    )


def _report(ending: Ending, manifest: BotManifest, *, quiet: bool) -> None:
    restarts = f" after {count_text(ending.restarts, 'restart')}" if ending.restarts else ""
    if ending.is_stopped:
        note(f"stopped {manifest.name}{restarts}; the same command goes on", quiet=quiet)
        raise typer.Exit(ExitCode.INTERRUPTED)
    if ending.code != 0:
        assert ending.code is not None
        why = f"{manifest.name} {how_text(ending.code)}{restarts} and is not started again"
        raise Failure(f"{why}: its own words are above, `hearts check` finds out more", ExitCode.FAULTS)
    note(f"{manifest.name} has ended{restarts}: the referee said farewell", quiet=quiet)
