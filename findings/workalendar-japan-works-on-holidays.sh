#!/usr/bin/env bash
# workalendar (PyPI) tells which days are worked in a country, and counts working days.
#
# Expected: in Japan the next day that is no holiday is free after a holiday on a Sunday (振替休日), and so is a day
# between two holidays (国民の休日). Both are law, and `holidays` and `jpholiday` (PyPI) have them.
# Observed: workalendar has the first for 2019 to 2021 only and the second never: of the six such days of 2026 to 2030
# below all are working days, and the next working day after Friday, 19 March 2027 is a holiday.
set -euo pipefail

version=17.0.0
reference=1.0.3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "workalendar==$version" "jpholiday==$reference"

"$folder/venv/bin/python" - <<'PY'
import sys
from datetime import date
from importlib.metadata import version

import jpholiday
from workalendar.asia import Japan

print("workalendar", version("workalendar"), "beside jpholiday", version("jpholiday"))
japan = Japan()
changed = False
for day, observed in [
    ("2020-05-06", False),  # a control: written down for that year
    ("2026-09-21", False),  # a control: a holiday of its own
    ("2026-05-06", True),
    ("2026-09-22", True),
    ("2027-03-22", True),
    ("2029-02-12", True),
    ("2029-09-24", True),
    ("2030-05-06", True),
]:
    day = date.fromisoformat(day)
    worked = japan.is_working_day(day)
    print(f"{day:%a %d %b %Y} ({jpholiday.is_holiday_name(day)}): expected no work, observed work: {worked}")
    changed |= worked != observed
following = japan.add_working_days(date(2027, 3, 19), 1)
print(f"one working day after 2027-03-19: expected 2027-03-23, observed {following}")
changed |= following != date(2027, 3, 22)
sys.exit(1 if changed else 0)
PY
