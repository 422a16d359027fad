#!/usr/bin/env bash
# ical.js (npm) reads calendars and lists the dates of an event that repeats.
#
# Expected: "the last Tuesday of each month at 9 and at 18 o'clock" (RFC 5545: FREQ=MONTHLY;BYDAY=-1TU;BYHOUR=9,18) gives
# last Tuesdays, and "each year on 15 December at 9 and at 18 o'clock" gives two times a year, as rrule (npm) has it.
# Observed: in the months after the first one, the first of the month at 18 o'clock is called too, whatever day that is.
# Of the yearly one only 9 o'clock is called. Weekly rules with two hours are right.
set -euo pipefail

version=2.2.1
reference=2.8.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "ical.js@$version" "rrule@$reference" >&2

cat > probe.mjs <<'JS'
import ICAL from 'ical.js';
import rrule from 'rrule';

// The first time, the rule, and the times that were called when this was written.
const cases = [
  ['2026-11-24T09:00:00', 'FREQ=MONTHLY;BYDAY=-1TU;BYHOUR=9,18',
    '2026-11-24T09 2026-11-24T18 2026-12-01T18 2026-12-29T09 2026-12-29T18 2027-01-01T18'],
  ['2026-12-07T09:00:00', 'FREQ=MONTHLY;BYDAY=1MO;BYHOUR=9,18',
    '2026-12-07T09 2026-12-07T18 2027-01-01T18 2027-01-04T09 2027-01-04T18 2027-02-01T09'],
  ['2026-12-15T09:00:00', 'FREQ=YEARLY;BYHOUR=9,18',
    '2026-12-15T09 2027-12-15T09 2028-12-15T09 2029-12-15T09 2030-12-15T09 2031-12-15T09'],
  // A control.
  ['2026-12-15T09:00:00', 'FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=9,18',
    '2026-12-15T09 2026-12-15T18 2026-12-17T09 2026-12-17T18 2026-12-22T09 2026-12-22T18'],
];
let changed = 0;
for (const [first, rule, known] of cases) {
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(first));
  const observed = Array.from({ length: 6 }, () => iterator.next().toString().slice(0, 13)).join(' ');
  const begin = first.replace(/[-:]/g, '');
  const expected = rrule.rrulestr(`DTSTART:${begin}Z\nRRULE:${rule}`)
    .all((_, index) => index < 6).map((date) => date.toISOString().slice(0, 13)).join(' ');
  console.log(`${rule}\n  expected ${expected}\n  observed ${observed}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "ical.js $version beside rrule $reference, node $(node --version)"
node probe.mjs
