#!/usr/bin/env bash
# node-ical (npm) reads calendars; its `expandRecurringEvent` lists the dates of an event that repeats.
#
# Expected: dates that a calendar adds (RDATE) are listed, and a change to "this and the following ones"
# (RECURRENCE-ID;RANGE=THISANDFUTURE) holds for the following ones too, as RFC 5545 says and as
# recurring-ical-events (PyPI) does.
# Observed: an added date is not listed, although it was read (`event.rdate` has it, unlike `event.exdate` as bare text);
# of the changed series only the first one moves, the next is at its old hour again. A date that is taken out (EXDATE) or
# moved alone is right.
# (The package asks for Node 22; Node 20 gives the same.)
set -euo pipefail

version=0.27.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "node-ical@$version" >&2

cat > probe.mjs <<'JS'
import ical from 'node-ical';

const event = (...lines) => ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20261101T000000Z', 'SUMMARY:Choir', 'DURATION:PT1H',
  ...lines, 'END:VEVENT'];
const weekly = (count, ...lines) => event('DTSTART;TZID=Asia/Tokyo:20261201T090000', `RRULE:FREQ=WEEKLY;COUNT=${count}`, ...lines);
const read = (lines) => Object.values(ical.sync.parseICS(
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//probe//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')));
const tokyo = (date) => new Date(date.getTime() + 9 * 3600e3).toISOString().slice(5, 16);
const listed = (lines) => read(lines).filter((item) => item.type === 'VEVENT')
  .flatMap((item) => ical.expandRecurringEvent(item, { from: new Date('2026-11-01'), to: new Date('2027-02-01') }))
  .map((instance) => tokyo(instance.start)).join(' ');

const added = weekly(2, 'RDATE;TZID=Asia/Tokyo:20261205T110000');
const moved = (range) => event(`RECURRENCE-ID${range};TZID=Asia/Tokyo:20261215T090000`,
  'DTSTART;TZID=Asia/Tokyo:20261215T140000');
// What is read, what it should give, what it gave when this was written.
const cases = [
  ['an added date', added, '12-01T09:00 12-05T11:00 12-08T09:00', '12-01T09:00 12-08T09:00'],
  ['this and the following', [...weekly(4), ...moved(';RANGE=THISANDFUTURE')],
    '12-01T09:00 12-08T09:00 12-15T14:00 12-22T14:00', '12-01T09:00 12-08T09:00 12-15T14:00 12-22T09:00'],
  // Controls.
  ['one moved', [...weekly(4), ...moved('')],
    '12-01T09:00 12-08T09:00 12-15T14:00 12-22T09:00', '12-01T09:00 12-08T09:00 12-15T14:00 12-22T09:00'],
  ['one taken out', weekly(3, 'EXDATE;TZID=Asia/Tokyo:20261208T090000'),
    '12-01T09:00 12-15T09:00', '12-01T09:00 12-15T09:00'],
];
let changed = 0;
for (const [name, lines, expected, known] of cases) {
  const observed = listed(lines);
  console.log(`${name}\n  expected ${expected}\n  observed ${observed}`);
  if (observed !== known) changed += 1;
}
const [{ rdate }] = read(added);
console.log(`the added date as it was read: ${JSON.stringify(rdate)}`);
if (rdate?.val !== '20261205T110000') changed += 1;
process.exit(changed ? 1 : 0);
JS
echo "node-ical $version, node $(node --version)"
node probe.mjs
