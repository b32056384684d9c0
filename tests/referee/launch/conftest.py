"""The bench of the launcher's tests as a fixture."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.referee.launch.bench import Bench, Mailbox


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    mailbox = Mailbox(tmp_path / "mailbox")
    await mailbox.open()
    bench = Bench(tmp_path, mailbox)
    await bench.launcher.start()
    yield bench
    await bench.launcher.close(grace_s=0)
    mailbox.close()
    assert bench.left_over() == []
    errors = (tmp_path / "logs" / "supervisor.log").read_text()
    assert errors == "", errors
