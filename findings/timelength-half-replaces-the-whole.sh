#!/usr/bin/env bash
# timelength (PyPI) and human-interval (npm, part of the schedulers Agenda and Bree) read durations that are written as
# people say them, with numbers in words.
#
# Expected: "two and a half hours" is two and a half hours and "an hour and 20 minutes" is 80 minutes, or nothing at all.
# Observed: in timelength the half stays and the number before it goes: half an hour, and "ten and a half minutes" is
# half a *minute*. The number lies among what was left out, and the whole is a success, as with anything left out.
# human-interval counts "an hour" as no time, so that 20 minutes are left.
set -euo pipefail

version=3.0.4
interval=2.0.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-compile --disable-pip-version-check "timelength==$version"
npm install --silent --no-audit --no-fund "human-interval@$interval" >&2

cat > probe.py <<'PY'
import sys
from importlib.metadata import version

from timelength import TimeLength

print("timelength", version("timelength"))
changed = False
# What is said, how many seconds that is, how many it was when this was written.
for words, expected, known in [
    ("half an hour", 1800, 1800),  # a control
    ("2.5 hours", 9000, 9000),  # a control
    ("two and a half hours", 9000, 1800),
    ("ten and a half minutes", 630, 30),
    ("1 1/2 hours", 5400, 1800),
    ("an hour and a half", 5400, 3600),
]:
    result = TimeLength(words).result
    print(f"{words!r}: expected {expected} s, observed {result.seconds:g} s, success: {result.success}")
    changed |= result.seconds != known or not result.success
sys.exit(1 if changed else 0)
PY
cat > probe.cjs <<'JS'
const humanInterval = require('human-interval');

let changed = 0;
for (const [words, expected, known] of [
  ['hour', 3600, 3600],  // a control
  ['one hour and twenty minutes', 4800, 4800],  // a control
  ['an hour and 20 minutes', 4800, 1200],
  ['an hour', 3600, 0],
  ['half an hour', 1800, 0],
  ['two and a half hours', 9000, 7200],
]) {
  const observed = humanInterval(words) / 1000;
  console.log(`"${words}": expected ${expected} s, observed ${observed} s`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
status=0
venv/bin/python probe.py || status=1
echo "human-interval $interval, node $(node --version)"
node probe.cjs || status=1
exit "$status"
