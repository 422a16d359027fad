#!/usr/bin/env bash
# parsedatetime and timefhuman (PyPI) read dates as people say them.
#
# Expected: "the day after tomorrow" is in two days and "a week from Monday" a week after the next Monday; what is not
# understood gives nothing.
# Observed: in both packages "the day after tomorrow" is tomorrow. "A week from Monday" is the next Monday in
# parsedatetime, and two other days in timefhuman.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "parsedatetime==2.6" "timefhuman==0.1.5" "setuptools==80.9.0"

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys
from datetime import datetime
from importlib.metadata import version

import parsedatetime
from timefhuman import tfhConfig, timefhuman

print("parsedatetime", version("parsedatetime"), "and timefhuman", version("timefhuman"))
now = datetime(2026, 11, 25, 10, 0)  # a Wednesday


def by_parsedatetime(words):
    when, understood = parsedatetime.Calendar().parseDT(words, sourceTime=now)
    return [f"{when:%d %b}"] if understood else []


def by_timefhuman(words):
    return [f"{when:%d %b}" for when in timefhuman(words, tfhConfig(now=now))]


changed = False
for read, words, expected, observed in [
    (by_parsedatetime, "tomorrow", ["26 Nov"], ["26 Nov"]),
    (by_timefhuman, "tomorrow", ["26 Nov"], ["26 Nov"]),
    (by_parsedatetime, "the day after tomorrow", ["27 Nov"], ["26 Nov"]),
    (by_timefhuman, "the day after tomorrow", ["27 Nov"], ["26 Nov"]),
    (by_parsedatetime, "a week from monday", ["07 Dec"], ["30 Nov"]),
    (by_timefhuman, "a week from monday", ["07 Dec"], ["02 Dec", "30 Nov"]),
]:
    days = read(words)
    print(f"{words!r} {read.__name__.replace('_', ' ')}: expected {expected}, observed {days}")
    changed |= days != observed
sys.exit(1 if changed else 0)
PY
