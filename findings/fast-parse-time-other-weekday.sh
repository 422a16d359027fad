#!/usr/bin/env bash
# fast-parse-time (PyPI) finds dates in a text and resolves them "against a reference time".
#
# Expected: "next Friday", said on a day that is given as the reference, is a Friday after it.
# Observed: how many days there are until Friday is counted from today, whenever this runs, and then added to the reference:
# of messages from seven days in a row only one gets a Friday.
set -euo pipefail

version=1.5.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "fast-parse-time==$version"

"$folder/venv/bin/python" - <<'PY'
import sys
from datetime import datetime, timedelta
from importlib.metadata import version

from fast_parse_time import resolve_to_datetime

print("fast-parse-time", version("fast-parse-time"))
week = [datetime(2026, 3, 2, 9) + timedelta(days=day) for day in range(7)]


def resolved(text):
    return [resolve_to_datetime(text, reference=said)[0] for said in week]


changed = False
for text, weekday in [("next Friday", 4), ("last Monday", 0), ("this Wednesday", 2)]:
    days = resolved(text)
    right = sum(day.weekday() == weekday for day in days)
    print(f"{text}, said from Monday to Sunday: {' '.join(f'{day:%a}' for day in days)}; expected 7, observed {right} right")
    changed |= right != 1
# A control.
days = resolved("in 3 days")
print(f"in 3 days: {' '.join(f'{day:%a}' for day in days)}")
changed |= days != [said + timedelta(days=3) for said in week]
sys.exit(1 if changed else 0)
PY
