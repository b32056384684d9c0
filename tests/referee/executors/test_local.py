"""Worker processes: killed, stopped and ended, with real bots."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from referee.executors.house import House
from referee.executors.local import LocalExecutor, Played, Void, WorkerError
from referee.executors.worker_process import RefusedError
from referee.floor import Voided
from referee.record_json import comparable
from referee.records import MatchRecord, MatchSpec, Ruling, TimeControl
from tests.contract.gallery import alive, bot_folder, house_config, spec_of

PATIENCE_S = 60.0
HOURS_OF_DEALS = 1_000_000
PATIENT = TimeControl(turn_ms=20_000, bank_ms=0)
NAMES = ("north", "east", "south", "west")
T = TypeVar("T")


async def soon(awaitable: Awaitable[T]) -> T:
    return await asyncio.wait_for(awaitable, PATIENCE_S)


def specs(count: int) -> list[MatchSpec]:
    """The first is over long before the others."""
    found = [replace(spec_of(NAMES, rotation=n % 2, board_set=n), key=f"match-{n}", number=n) for n in range(count)]
    return [replace(spec, deals=16 if spec.number else 1) for spec in found]


@asynccontextmanager
async def executor_at(root: Path, workers: int = 1) -> AsyncIterator[tuple[LocalExecutor, list[str]]]:
    folders = {name: bot_folder(root / "bots", name, "honest.py") for name in NAMES}
    said: list[str] = []
    config = house_config(root, folders, PATIENT, Ruling.SUBSTITUTE)
    async with LocalExecutor(config, workers, root / "logs", said.append) as executor:
        yield executor, said


async def played(executor: LocalExecutor, count: int) -> dict[str, MatchRecord]:
    records: dict[str, MatchRecord] = {}
    while len(records) < count:
        for outcome in await soon(executor.outcomes()):
            assert isinstance(outcome, Played), outcome
            records[outcome.record.spec.key] = outcome.record
    return records


async def assert_all_end(marker: str) -> None:
    deadline = time.monotonic() + 10
    while left := alive(marker):
        assert time.monotonic() < deadline, f"still there after 10 s: {left}"
        await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_what_a_killed_worker_was_playing_is_played_again_with_the_same_results(tmp_path: Path) -> None:
    quiet, disturbed = tmp_path / "quiet", tmp_path / "disturbed"
    async with executor_at(quiet, workers=2) as (executor, _):
        for spec in specs(8):
            executor.submit(spec)
        expected = await played(executor, 8)
        await executor.drain()

    async with executor_at(disturbed, workers=2) as (executor, said):
        for spec in specs(8):
            executor.submit(spec)
        records = await played(executor, 1)
        assert executor.in_flight > 1
        assert alive(str(disturbed)), "bots cannot be seen, so this test proves nothing of them"
        for pid in executor.pids:
            os.kill(pid, signal.SIGKILL)
        records |= await played(executor, 7)
        await executor.drain()
    await assert_all_end(str(disturbed))

    assert {key: comparable(record) for key, record in records.items()} == {
        key: comparable(record) for key, record in expected.items()
    }
    assert [record.faults for record in records.values()] == [()] * 8
    assert said
    assert said[0].startswith("worker ")
    assert "was killed by SIGKILL: it is started again" in said[0]


@pytest.mark.slow
async def test_a_worker_that_was_stopped_voids_what_it_played_and_charges_nobody(tmp_path: Path) -> None:
    first, last, *long = (replace(spec, rotation=0, deals=1) for spec in specs(4))
    async with executor_at(tmp_path) as (executor, _):
        executor.submit(first)  # its bots play the others too
        await played(executor, 1)
        for spec in long:
            executor.submit(replace(spec, deals=HOURS_OF_DEALS))
        executor.submit(last)
        await played(executor, 1)  # begun after the long ones: they are being played
        (pid,) = executor.pids
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(3)  # the machine's own time is what this is about
        os.kill(pid, signal.SIGCONT)
        voids: set[str] = set()
        while len(voids) < len(long):
            for outcome in await soon(executor.outcomes()):
                assert isinstance(outcome, Void), outcome
                assert outcome.reason.startswith("the referee stood still for ")
                voids.add(outcome.key)
        for spec in long:
            executor.submit(spec)
        records = await played(executor, len(long))

    assert voids == set(records) == {spec.key for spec in long}
    assert [record.faults for record in records.values()] == [()] * len(long)


@pytest.mark.slow
async def test_a_busy_loop_of_the_referees_own_voids_what_is_played_and_charges_nobody(tmp_path: Path) -> None:
    folders = {name: bot_folder(tmp_path, name, "honest.py") for name in NAMES}
    async with House(house_config(tmp_path, folders, PATIENT, Ruling.SUBSTITUTE)) as house:
        _, spec = specs(2)
        match = asyncio.create_task(house.play(spec))
        while not house.floor.runs:  # noqa: ASYNC110  # bots are starting
            await asyncio.sleep(0.01)
        time.sleep(1.2)  # noqa: ASYNC251  # the busy loop
        outcome = await soon(match)
        again = await soon(house.play(spec))

    assert isinstance(outcome, Voided)
    assert isinstance(again, MatchRecord)
    assert again.faults == ()


async def test_a_worker_that_cannot_start_again_says_what_to_mend_after_what_is_finished(tmp_path: Path) -> None:
    async with executor_at(tmp_path) as (executor, _):
        executor._take(executor._workers[0], {"kind": "void", "key": "m", "reason": "lag"})
        file = tmp_path / "bots/north/bot.toml"
        file.write_text('name = "north"\nrun = ')  # its author is saving it
        os.kill(executor.pids[0], signal.SIGKILL)
        while executor._failure is None:  # noqa: ASYNC110  # a process starts
            await asyncio.sleep(0.01)

        assert await executor.outcomes() == [Void("m", "lag")]
        with pytest.raises(RefusedError, match="worker 0 cannot be started again; mend it, then resume") as caught:
            await soon(executor.outcomes())

    assert str(caught.value).startswith(f"{file}: ")


async def test_a_mistake_at_the_owners_end_of_a_worker_is_told_and_nothing_waits_for_it(tmp_path: Path) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    async with executor_at(tmp_path) as (executor, _):
        executor._workers[0]._on_message = broken
        with pytest.raises(WorkerError, match=r"worker 0: ZeroDivisionError: a bug; .*worker-0\.log says more"):
            await soon(executor.muster(NAMES))
        with pytest.raises(WorkerError, match="a bug"):
            await soon(executor.outcomes())

    assert "Traceback" in (tmp_path / "logs/worker-0.log").read_text()


async def test_a_worker_that_cannot_begin_is_given_up_with_the_place_of_its_log(tmp_path: Path) -> None:
    config = replace(house_config(tmp_path, {}, PATIENT, Ruling.SUBSTITUTE), rules={"seats": "many"})
    with pytest.raises(WorkerError, match=r"worker 0 ended with code 1; .*worker-0\.log says more"):
        async with LocalExecutor(config, 1, tmp_path / "logs"):
            pass

    assert "seats" in (tmp_path / "logs/worker-0.log").read_text()


@pytest.mark.slow
async def test_a_worker_that_dies_again_and_again_is_given_up(tmp_path: Path) -> None:
    async with executor_at(tmp_path) as (executor, said):
        deaths: list[int] = []

        async def kill_each() -> None:
            while True:
                (pid,) = executor.pids
                if pid not in deaths:
                    deaths.append(pid)
                    os.kill(pid, signal.SIGKILL)
                await asyncio.sleep(0.01)

        killer = asyncio.create_task(kill_each())
        with pytest.raises(WorkerError, match="worker 0 was killed by SIGKILL"):
            await soon(executor.outcomes())
        killer.cancel()
        assert len(said) == 3
        assert len(deaths) == 4


@pytest.mark.slow
async def test_bots_are_mustered_by_a_worker_that_was_killed_meanwhile(tmp_path: Path) -> None:
    async with executor_at(tmp_path) as (executor, _):
        mustering = asyncio.create_task(executor.muster(NAMES))
        await asyncio.sleep(0)
        os.kill(executor.pids[0], signal.SIGKILL)
        verdicts = await soon(mustering)

    assert verdicts == dict.fromkeys(NAMES)
