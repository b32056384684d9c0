"""Building bots by their manifests."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from referee.launch.build import build
from referee.launch.manifest import BotManifest, load_manifest
from tests.referee.launch.bench import DEADLINE_S, Bench


def manifest_of(folder: Path, *commands: str) -> BotManifest:
    bot = folder / "bot"
    bot.mkdir()
    (bot / "bot.toml").write_text(f'name = "duck"\nrun = ["build/bot"]\nbuild = [{", ".join(commands)}]\n')
    return load_manifest(bot)


async def test_build_commands_run_in_order_in_the_bots_folder(bench: Bench) -> None:
    manifest = manifest_of(bench.folder, '["mkdir", "build"]', '["sh", "-c", "echo made > build/bot; echo done"]')

    result = await build(bench.launcher, manifest)

    assert result.ok
    assert result.message == ""
    assert (manifest.folder / "build" / "bot").read_text() == "made\n"
    assert [b"| done\n" in log.read_bytes() for log in result.logs] == [False, True]
    assert load_manifest(manifest.folder).content_hash == manifest.content_hash


async def test_a_failing_command_ends_the_build_with_its_last_lines(bench: Bench) -> None:
    manifest = manifest_of(
        bench.folder, '["sh", "-c", "echo no such type >&2; exit 2"]', '["touch", "not-reached"]'
    )

    result = await build(bench.launcher, manifest)

    assert not result.ok
    assert result.message == "duck: 'sh -c echo no such type >&2; exit 2' exited with code 2"
    assert result.tail == ("no such type",)
    assert not (manifest.folder / "not-reached").exists()


async def test_a_missing_compiler_is_named(bench: Bench) -> None:
    result = await build(bench.launcher, manifest_of(bench.folder, '["no-such-compiler"]'))

    assert not result.ok
    assert result.message.startswith("duck: 'no-such-compiler' is not installed")


async def test_a_build_that_hangs_is_ended_at_its_deadline(bench: Bench) -> None:
    manifest = manifest_of(bench.folder, '["sh", "-c", "echo waiting; exec sleep 1000"]')

    result = await asyncio.wait_for(build(bench.launcher, manifest, timeout_s=0.3), DEADLINE_S)

    assert not result.ok
    assert result.message.endswith("had not ended after 0.3 s")
    assert bench.launcher.processes == ()


async def test_a_cancelled_build_leaves_no_process(bench: Bench) -> None:
    manifest = manifest_of(bench.folder, f'["sh", "-c", "echo on > {bench.mailbox.path}; exec sleep 1000"]')
    task = asyncio.create_task(build(bench.launcher, manifest))
    await bench.mailbox.next()

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    await bench.launcher.close(grace_s=DEADLINE_S)  # the cancellation itself does not wait for the end
    assert [(label, how.asked) for label, how in bench.exits] == [("duck-build", True)]


async def test_a_build_may_write_more_than_a_bot_may(bench: Bench) -> None:
    manifest = manifest_of(bench.folder, '["sh", "-c", "head -c 20000000 /dev/zero > large"]')

    result = await build(bench.launcher, manifest)

    assert result.ok, result
    assert (manifest.folder / "large").stat().st_size == 20_000_000
