"""`make bench`: the wire beside the bare wire, and the rulebook beside OpenSpiel. Prints tables, writes JSON.

Figures of a machine that does other work are noise: compare the ratios, which come from one run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import subprocess
from dataclasses import asdict
from pathlib import Path

from referee.executors.worker import calm_collector
from tests.bench import rulebook, wire


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bench.json"))
    parser.add_argument("--tables", type=int, nargs="*", default=wire.TABLES)
    parser.add_argument("--pairs", type=int, default=3, help="measurements of each kind at each number of tables")
    arguments = parser.parse_args()
    calm_collector()
    print("tables      referee   bare wire  ratio  charged  turns/   processor time/decision")
    print("        decisions/s decisions/s         median  message   referee  bare wire")
    rows = []
    for tables in arguments.tables:
        row = asyncio.run(wire.measure(tables, pairs=arguments.pairs))
        rows.append(row)
        print(
            f"{row.tables:6} {row.referee_s:11,.0f} {row.bare_s:11,.0f}  {row.ratio:5.2f} {row.charged_us:5,.0f} us"
            f" {row.batch:8.1f} {row.referee_cpu_us:6.1f} us {row.bare_cpu_us:7.1f} us",
            flush=True,
        )
    rules = rulebook.measure()
    print(
        f"\nrulebook: {rules['rulebook_deals_s']:,.0f} deals/s, {rules['ratio']:.2f} times OpenSpiel from Python"
        f" ({rules['rulebook_deal_us']:,.0f} us and {rules['open_spiel_deal_us']:,.0f} us a deal)"
    )
    report = {
        "schema": 1,
        "commit": subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True
        ).stdout.strip(),
        "python": platform.python_version(),
        "wire": [asdict(row) for row in rows],
        "rulebook": rules,
    }
    arguments.out.write_text(json.dumps(report, indent=2) + "\n")
    print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
