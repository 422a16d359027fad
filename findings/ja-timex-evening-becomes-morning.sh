#!/usr/bin/env bash
# ja-timex (PyPI) finds expressions of time in Japanese and normalises them: `value` is the normal form,
# `to_datetime()` the point in time.
#
# Expected: both tell the same time.
# Observed: for 午後3時半 the value is T15-30 and `to_datetime()` says 03:30; for 夜9時 it is T21 and 09:00. Only times
# written with 24 hours agree.
set -euo pipefail

version=0.2.8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
# Its one dependency, pendulum, is pinned too: dates come from there.
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "ja-timex==$version" "pendulum==3.0.0b1"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

import pendulum
from ja_timex import TimexParser

print("ja-timex", version("ja-timex"), "pendulum", version("pendulum"))
parser = TimexParser(reference=pendulum.datetime(2026, 11, 27, tz="Asia/Tokyo"))

# What is said, its value, the time that value means, the time given when this was written.
cases = [
    ("15時30分", "T15-30-XX", "15:30", "15:30"),  # a control
    ("午後3時半", "T15-30-XX", "15:30", "03:30"),
    ("夜9時", "T21-XX-XX", "21:00", "09:00"),
]
changed = False
for text, value, expected, known in cases:
    (timex,) = parser.parse(text)
    observed = timex.to_datetime().strftime("%H:%M")
    print(f"{text}: value {timex.value}, expected {expected}, observed {observed}")
    changed |= timex.value != value or observed != known
sys.exit(1 if changed else 0)
PY
