"""How fast a large CSV comes in. Not collected by default:

``python -m pytest -o addopts= -s tests/bench/test_intake_speed.py``

Reading (with the fingerprint), and keeping the original in a case, against DuckDB alone reading
the same file into a frame; and the peak memory against the table's. ``FAIRASSAY_BENCH_ROWS`` sets
the number of rows (1,000,000; 20000000 makes a file of about 3 GB). Each part runs in a process
of its own, the fastest of ``FAIRASSAY_BENCH_TIMES`` (3) counts. The peak may be three times the
table, or what DuckDB alone takes where that is more: the libraries weigh 150 MB before any row.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

ROWS = int(os.environ.get("FAIRASSAY_BENCH_ROWS", "1000000"))
TIMES = int(os.environ.get("FAIRASSAY_BENCH_TIMES", "3"))
AT_MOST = 3.0
ROOT = Path(__file__).resolve().parent.parent.parent

PEOPLE = """
COPY (
  SELECT i + 1 AS person_id,
    CASE WHEN hash(i, 1) % 10 < 6 THEN 'male' ELSE 'female' END AS sex,
    ['White', 'Black', 'Asian', 'Other', ''][1 + (hash(i, 2) % 5)::INT] AS ethnicity,
    18 + hash(i, 3) % 70 AS age,
    'region ' || hash(i, 4) % 400 AS region,
    (hash(i, 5) % 10000000) / 100 AS income,
    (hash(i, 6) % 1000000) / 1000000 AS score,
    DATE '2020-01-01' + (hash(i, 7) % 1500)::INT AS decided_on,
    hash(i, 8) % 100000 AS postcode,
    ['A', 'B', 'C', 'D'][1 + (hash(i, 9) % 4)::INT] || ' - a longer description of the kind of loan' AS kind,
    CASE WHEN hash(i, 10) % 10 < 7 THEN 'good' ELSE 'bad' END AS risk,
    hash(i, 11) % 2 AS approved
  FROM range({rows}) t(i)
) TO '{path}' (HEADER, DELIMITER ',')
"""

PART = """
import json, resource, sys, time
from pathlib import Path
path, part = Path(sys.argv[1]), sys.argv[2]
if part == "duckdb":
    import duckdb, pandas
    start, worked = time.perf_counter(), time.process_time()
    frame = duckdb.sql(f"SELECT * FROM read_csv('{path}')").df()
else:
    from engine.base.watch import Watch
    from engine.case.store import Case
    from engine.intake.read import preview, read
    from engine.plan.model import Source
    source = Source(path=(path.name,))
    if part == "keeping":
        kept = path.with_name("bench.fairassay")
        kept.unlink(missing_ok=True)
        case = Case.create(kept, who="A", when="2026-01-01T00:00:00+00:00")
        start, worked = time.perf_counter(), time.process_time()
        case.add_file(path)
        case.close()
        frame = None
    else:
        start, worked = time.perf_counter(), time.process_time()
        go = preview if part == "preview" else lambda **how: read(watch=Watch(), **how)
        frame = go(source=source, base=path.parent).frame
seconds, work = time.perf_counter() - start, time.process_time() - worked
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
table = 0 if frame is None else int(frame.memory_usage(deep=True).sum())
print(json.dumps({"seconds": seconds, "work": work, "peak": peak, "table": table}))
"""


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bench") / "people.csv"
    duckdb.connect().execute(PEOPLE.format(rows=ROWS, path=path))
    return path


def _part(path: Path, part: str) -> dict[str, float]:
    """The fastest of some runs, each in a process of its own."""
    runs = []
    for _ in range(1 if part == "preview" else TIMES):
        command = [sys.executable, "-c", PART, str(path), part]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        # In a long run DuckDB draws a bar of progress before.
        runs.append(json.loads(done.stdout[done.stdout.rindex("{") :]))
    return min(runs, key=lambda run: run["seconds"])


def test_reading_against_duckdb_alone(people: Path) -> None:
    parts = {part: _part(people, part) for part in ("duckdb", "reading", "keeping", "preview")}
    alone, reading, keeping, first = (part["seconds"] for part in parts.values())
    ratio = (reading + keeping) / alone
    work = {part: run["work"] for part, run in parts.items()}
    by_work = (work["reading"] + work["keeping"]) / work["duckdb"]
    read = parts["reading"]
    print(
        f"\n{ROWS:,} rows, {people.stat().st_size / 1e6:,.0f} MB: preview {first:.2f} s, DuckDB alone "
        f"{alone:.2f} s, reading {reading:.2f} s ({reading / alone:.2f} times), keeping "
        f"{keeping:.2f} s, together {ratio:.2f} times ({by_work:.2f} times by processor time, which "
        f"other programs do not lengthen); table {read['table'] / 1e6:,.0f} MB, peak "
        f"{read['peak'] / 1e6:,.0f} MB ({read['peak'] / read['table']:.2f} times; DuckDB alone "
        f"{parts['duckdb']['peak'] / 1e6:,.0f} MB)"
    )
    assert min(ratio, by_work) <= AT_MOST
    assert read["peak"] <= max(3 * read["table"], parts["duckdb"]["peak"])
