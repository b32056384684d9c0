"""A remote bot on another host (a network namespace), over TLS, through the command line as people use it."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON_BOTS = ROOT / "sample_bots/python"
HEARTS = (str(Path(sys.executable).with_name("hearts")),)
WAIT_S = 100
CUT_S = 3
# The far host's router: passes bytes on, and takes every connection with it when it is switched off.
ROUTER = """
import asyncio, sys
async def pump(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()
async def serve(reader, writer):
    there = await asyncio.open_connection(sys.argv[1], int(sys.argv[2]))
    await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[2]))
    await server.serve_forever()
asyncio.run(main())
"""
TOURNAMENT = """
name = "net"
board_sets = 80
tables = 1
seed = 9
[listen]
address = "{host}:0"
tls_cert = "tls/server.pem"
tls_key = "tls/server.key"
[[bot]]
remote = true
name = "guest"
"""


class FarHost:
    """A host of its own behind a cable: a network namespace with one address."""

    def __init__(self, number: int) -> None:
        self.name = f"far{number}"
        self.near_address = f"10.98.{number}.1"
        self._far_address = f"10.98.{number}.2"
        self._near, self._far = f"hn{number}", f"hf{number}"

    def up(self) -> None:
        ip("netns", "add", self.name)
        ip("link", "add", self._near, "type", "veth", "peer", "name", self._far)
        ip("link", "set", self._far, "netns", self.name)
        ip("addr", "add", f"{self.near_address}/24", "dev", self._near)
        ip("link", "set", self._near, "up")
        ip("-n", self.name, "addr", "add", f"{self._far_address}/24", "dev", self._far)
        ip("-n", self.name, "link", "set", self._far, "up")
        ip("-n", self.name, "link", "set", "lo", "up")

    def switch_on(self, port: str) -> None:
        """Connect the host: the cable, and the router through which its bots dial 127.0.0.1."""
        ip("link", "set", self._near, "up")
        command = ["ip", "netns", "exec", self.name, sys.executable, "-c", ROUTER, self.near_address, port]
        self._router = subprocess.Popen(command)

    def switch_off(self) -> None:
        """Cut the host off: its bots see their connections fail, the referee sees nothing at all."""
        ip("link", "set", self._near, "down")
        self._router.kill()
        self._router.wait()

    def bot(self, address: str, token: str, ca: Path) -> subprocess.Popen[str]:
        environment = {**os.environ, "HEARTS_REFEREE": address, "HEARTS_TOKEN": token, "HEARTS_CA": str(ca)}
        command = ["ip", "netns", "exec", self.name, sys.executable, "../wire_loop.py"]
        return subprocess.Popen(
            command, cwd=PYTHON_BOTS / "duck", env=environment, stderr=subprocess.PIPE, text=True
        )

    def down(self) -> None:
        self._router.kill()
        self._router.wait()
        subprocess.run(["ip", "netns", "del", self.name], stderr=subprocess.DEVNULL)
        subprocess.run(["ip", "link", "del", self._near], stderr=subprocess.DEVNULL)


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


@pytest.fixture
def far_host() -> Iterator[FarHost]:
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("a network namespace needs root and iproute2")
    host = FarHost(100 + secrets.randbelow(150))
    host.up()
    yield host
    host.down()


@pytest.mark.slow
def test_a_remote_bot_joins_over_tls_is_cut_off_in_mid_deal_comes_back_and_finishes(
    far_host: FarHost, tmp_path: Path
) -> None:
    subprocess.run([*HEARTS, "cert", "--out", str(tmp_path / "tls"), "--host", far_host.near_address], check=True)
    bots = "".join(f'[[bot]]\npath = "{PYTHON_BOTS / name}"\n' for name in ("low", "duck", "random"))
    (tmp_path / "net.toml").write_text(TOURNAMENT.format(host=far_host.near_address) + bots)
    command = [*HEARTS, "tournament", "run", "net.toml", "--json"]
    with (tmp_path / "stderr.txt").open("w") as log:
        tournament = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=log, text=True)

    found = wait_for(tmp_path / "stderr.txt", r"guest: HEARTS_REFEREE=[\d.]+:(\d+) HEARTS_TOKEN=(\S+)")
    port, token = found.groups()
    far_host.switch_on(port)
    address, ca = f"127.0.0.1:{port}", tmp_path / "tls/ca.pem"
    stranger = far_host.bot(address, "wrong", ca)
    _, complaint = stranger.communicate(timeout=WAIT_S)
    guest = far_host.bot(address, token, ca)
    wait_for(tmp_path / "stderr.txt", r"starting 4 bots")
    wait_for_matches(tmp_path / "net", 1)
    far_host.switch_off()
    time.sleep(CUT_S)  # the length of the cut is what is tested, on a real network
    assert tournament.poll() is None
    far_host.switch_on(port)
    output, _ = tournament.communicate(timeout=WAIT_S)
    _, farewell = guest.communicate(timeout=WAIT_S)
    said = (tmp_path / "stderr.txt").read_text()
    result = json.loads(output)
    by_bot = {row["bot"]: row for row in result["standings"]["bots"]}

    assert stranger.returncode != 0
    assert "no bot with that token" in complaint
    assert re.search(r"refused a bot from ipv4:10\.98\.\d+\.2:\d+: its token is unknown", said)
    assert tournament.returncode == 0, said
    assert result["ending"] == "finished"
    assert by_bot["guest"]["matches"] == 80
    assert result["faults"] == 0, said
    assert guest.returncode == 0, farewell


def wait_for(file: Path, pattern: str) -> re.Match[str]:
    """Wait until a pattern stands in what a process writes to a file."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        found = re.search(pattern, file.read_text())
        if found is not None:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{pattern!r} did not come within {WAIT_S} s; there stands:\n{file.read_text()}")


def wait_for_matches(folder: Path, count: int) -> None:
    """Wait until some matches are finished."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        status = subprocess.run(
            [*HEARTS, "tournament", "status", str(folder), "--json"], capture_output=True, text=True
        )
        if status.returncode == 0 and json.loads(status.stdout)["done"] >= count:
            return
        time.sleep(0.05)
    raise AssertionError(f"not {count} matches finished within {WAIT_S} s")
