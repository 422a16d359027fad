#!/usr/bin/env bash
# recurrent (PyPI) reads "every Friday at 3" as a rule that calendars understand.
#
# Expected: "every day except Sunday" leaves out each Sunday, as "every day except Sundays" does.
# Observed: with the singular only the next one is left out (EXDATE for one day); from the second week on Sundays are in.
# With a time of day behind the exception, the rule loses the time and the exception leaves nothing out at all.
set -euo pipefail

version=0.4.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "recurrent==$version" "python-dateutil==2.9.0.post0"

"$folder/venv/bin/python" - <<'PY'
import sys
from datetime import datetime
from importlib.metadata import version

from dateutil.rrule import rrulestr
from recurrent import RecurringEvent

print("recurrent", version("recurrent"))
start = datetime(2026, 11, 27, 10, 0)  # a Friday


def occurrences(words):
    rule = RecurringEvent(now_date=start).parse(words)
    return rrulestr(rule, dtstart=start).between(start, datetime(2026, 12, 25), inc=True)


def days_called(words, weekday):
    return [f"{day:%d %b}" for day in occurrences(words) if day.weekday() == weekday]


changed = False
for words, weekday, observed in [
    ("every day except sundays", 6, []),
    ("every day except sunday", 6, ["06 Dec", "13 Dec", "20 Dec"]),
    ("every weekday except wednesday", 2, ["09 Dec", "16 Dec", "23 Dec"]),
]:
    days = days_called(words, weekday)
    print(f"{words!r}: expected none of these days, observed {days}")
    changed |= days != observed

words = "every day except saturday at 9am"
hours = {day.hour for day in occurrences(words)}
days = days_called(words, 5)
print(f"{words!r}: expected 9 o'clock and no Saturday, observed {hours} o'clock and {days}")
changed |= hours != {10} or days != ["28 Nov", "05 Dec", "12 Dec", "19 Dec"]
sys.exit(1 if changed else 0)
PY
