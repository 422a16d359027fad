#!/usr/bin/env bash
# ts-ics (npm) reads calendars and lists the dates of an event that repeats: `extendByRecurrenceRule`.
#
# Expected: the dates that RFC 5545 gives for a rule, as rrule (npm) does.
# Observed: "the last day of each month" is the day before, and so is the last working day, which may then be called on
# Wednesday in place of Thursday and at midnight in place of 9; the first date is missing in both. "The first working day
# of each month" is every working day. Whatever repeats on a 31st or on 29 February is moved to other days (RFC 5545
# leaves those months and years out), and stays there. Plain weekly rules are right.
set -euo pipefail

version=2.4.6
reference=2.8.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "ts-ics@$version" "rrule@$reference" >&2

cat > probe.mjs <<'JS'
import rrule from 'rrule';
import { convertIcsRecurrenceRule, extendByRecurrenceRule } from 'ts-ics';

// The first time, the rule, and the times that were called when this was written.
const cases = [
  ['2026-11-30T09:00', 'FREQ=MONTHLY;BYMONTHDAY=-1',
    '2026-12-30T09 2027-01-30T09 2027-02-27T09 2027-03-30T09'],
  ['2026-11-30T09:00', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    '2026-12-30T00 2027-01-28T00 2027-02-25T00 2027-03-30T00'],
  ['2026-12-01T09:00', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1',
    '2026-12-02T00 2026-12-03T00 2026-12-04T00 2026-12-07T00'],
  ['2026-10-31T09:00', 'FREQ=MONTHLY',
    '2026-10-31T09 2026-11-30T09 2026-12-30T09 2027-01-30T09'],
  ['2024-02-29T09:00', 'FREQ=YEARLY',
    '2024-02-29T09 2025-02-28T09 2026-02-28T09 2027-02-28T09'],
  // A control.
  ['2026-12-01T09:00', 'FREQ=WEEKLY;BYDAY=TU,TH',
    '2026-12-01T09 2026-12-03T09 2026-12-08T09 2026-12-10T09'],
];
const hours = (dates) => dates.slice(0, 4).map((date) => date.toISOString().slice(0, 13)).join(' ');
let changed = 0;
for (const [first, rule, known] of cases) {
  const start = new Date(`${first}:00Z`);
  const parsed = convertIcsRecurrenceRule(undefined, { value: rule });
  const observed = hours(extendByRecurrenceRule(parsed, { start, end: new Date('2040-01-01T00:00Z') }));
  const begin = `${first.replace(/[-:]/g, '')}00Z`;
  const expected = hours(rrule.rrulestr(`DTSTART:${begin}\nRRULE:${rule}`).all((_, index) => index < 4));
  console.log(`${rule} from ${first}\n  expected ${expected}\n  observed ${observed}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "ts-ics $version beside rrule $reference, node $(node --version)"
TZ=UTC node probe.mjs
