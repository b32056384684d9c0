"""`hearts`: the table of commands and the frame around them."""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
from pathlib import Path
from typing import Annotated, Any, ClassVar, TextIO

import typer

from referee.cli.errors import MEANINGS
from referee.cli.lazy import Entry, LazyGroup, new_app

COMMANDS = {
    "play": Entry("referee.cli.play_command:play", "Play one match between bots."),
    "tournament": Entry("referee.cli.tournament_command:app", "Set up, run, resume and watch tournaments."),
    "ratings": Entry("referee.cli.ratings_command:ratings", "Rate the bots of tournaments, or of a CSV file."),
    "compare": Entry("referee.cli.compare_command:compare", "Say whether one bot is better than another."),
    "plan": Entry("referee.cli.plan_command:plan", "Say how many deals it takes to tell bots apart."),
    "publish": Entry("referee.cli.publish_command:publish", "Write a tournament's table and its site."),
    "replay": Entry("referee.cli.replay_command:replay", "Show a finished match trick by trick, or one fault."),
    "verify": Entry("referee.cli.verify_command:verify", "Work a tournament out again and name what differs."),
    "rules": Entry("referee.cli.rules_command:app", "Show, compare and check rule sets."),
    "judge": Entry("referee.cli.judge_command:judge_command", "Judge deals: JSON lines in, JSON lines out."),
    "new": Entry("referee.cli.new_command:new", "Make a new bot from a template."),
    "check": Entry("referee.cli.check_command:check", "Say everything that is wrong with a bot."),
    "debug": Entry("referee.cli.debug_command:debug", "Ask a bot the turns of a recorded seat again."),
    "connect": Entry("referee.cli.connect_command:connect", "Run my bot against a referee elsewhere."),
    "config": Entry("referee.cli.config_command:app", "Check a tournament file and show what it comes to."),
    "cert": Entry("referee.cli.cert_command:cert", "Make the certificates that remote bots need."),
    "worker": Entry("referee.executors.worker:main", "Play matches as a tournament's worker (JSON lines)."),
    "doctor": Entry("referee.cli.doctor_command:doctor", "Check that this machine can run tournaments."),
}


class _Root(LazyGroup):
    """The command `hearts` itself: whatever a command raises ends here as a sentence and an exit code."""

    entries: ClassVar = COMMANDS
    is_debugging: ClassVar = False  # set by the option --debug, read when an error ends the command

    def invoke(self, ctx: Any) -> Any:
        """Run the command; where the reader of its stdout has gone, as behind `| head -1`, it ends well."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            if not _is_unread(sys.stdout):
                raise  # some other pipe
            from referee.cli.console import let_go

            let_go(sys.stdout)
            return None

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line and exit."""
        try:
            return super().main(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  the last resort, which reports it
            from referee.cli.errors import report

            sys.exit(report(error, debug=type(self).is_debugging))


app = new_app(_Root)
_EPILOG = f"Exit codes: {'; '.join(f'{code} {meaning}' for code, meaning in MEANINGS.items())}."


def _print_version(asked: bool) -> None:
    if asked:
        from importlib import metadata

        typer.echo(f"hearts-arena {metadata.version('hearts-arena')}")
        raise typer.Exit


@app.callback(epilog=_EPILOG)
def hearts(
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Log everything, and print tracebacks instead of keeping them in a file."),
    ] = False,
    version: Annotated[  # noqa: ARG001  its callback does the work
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Hearts Arena: a referee for bots that play Hearts, tournaments of them, and ratings."""
    import logging

    _Root.is_debugging = debug
    logging.basicConfig(
        level=logging.DEBUG if debug else logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )


def _is_unread(stream: TextIO) -> bool:
    """Whether a stream is a pipe whose reader has gone."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(stream.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def run() -> None:
    """Entry point of the console script `hearts`."""
    # Read by grpc when it is first imported: it must leave forking alone, since the launcher starts a supervisor.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # By default the collector walks all objects again and again while results are read, and finds nothing: a
    # quarter of the time of `hearts ratings` at 100,000 matches.
    gc.set_threshold(200_000, 50, 100)
    _prepare_streams()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # until a command takes it over
    try:
        try:
            app(prog_name="hearts")
        finally:
            _ignore_signals()
    except KeyboardInterrupt:  # it may have come as late as in the line above
        _ignore_signals()
        sys.exit(130)


def _ignore_signals() -> None:
    """Let no signal change the exit code of a command that is over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _prepare_streams() -> None:
    """Make every text printable, whatever the locale, and let a closed stream swallow it."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  for good
        else:
            stream.reconfigure(errors="replace")
