#!/usr/bin/env bash
# rrule (npm) tells rules of calendars in words (`toText`) and reads such words (`fromText`).
#
# Expected: words that are read give the rule that they say, or an error, as "every other week" does; words that are told
# say what the rule says, or `isFullyConvertibleToText()` is false.
# Observed: of a time only the hour is read, without its half of the day: 6pm is 6 in the morning, and 12:30 is 12. A day
# after a month is left out: "every year on March 3" is every March, on whatever day the rule begins. "The last working
# day of each month" is told as "every month on weekdays", which is said to be all of it.
set -euo pipefail

version=2.8.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "rrule@$version" >&2

cat > probe.mjs <<'JS'
import rrule from 'rrule';

const { RRule } = rrule;
let changed = 0;
for (const [words, expected, known] of [
  // Controls.
  ['every month on the 2nd last friday', 'FREQ=MONTHLY;BYDAY=-2FR', 'FREQ=MONTHLY;BYDAY=-2FR'],
  ['every day at 9', 'FREQ=DAILY;BYHOUR=9', 'FREQ=DAILY;BYHOUR=9'],
  ['every other week', 'an error', 'an error'],
  ['every tuesday at 6pm', 'FREQ=WEEKLY;BYDAY=TU;BYHOUR=18', 'FREQ=WEEKLY;BYDAY=TU;BYHOUR=6'],
  ['every day at 12:30', 'FREQ=DAILY;BYHOUR=12;BYMINUTE=30', 'FREQ=DAILY;BYHOUR=12'],
  ['every year on march 3', 'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3', 'FREQ=YEARLY;BYMONTH=3'],
]) {
  let observed;
  try {
    observed = RRule.fromText(words).toString().replace('RRULE:', '');
  } catch {
    observed = 'an error';
  }
  console.log(`"${words}": expected ${expected}, observed ${observed}`);
  if (observed !== known) changed += 1;
}
for (const [rule, expected, known] of [
  // A control.
  ['FREQ=MONTHLY;BYDAY=-1FR', 'every month on the last Friday', 'every month on the last Friday'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'the last working day', 'every month on weekdays'],
  ['FREQ=DAILY;BYHOUR=18;BYMINUTE=30', '18:30', 'every day at 18'],
]) {
  const parsed = RRule.fromString(rule);
  const observed = parsed.toText();
  const all = parsed.isFullyConvertibleToText();
  console.log(`${rule}: expected ${expected}, observed "${observed}", said to be all of it: ${all}`);
  if (observed !== known || !all) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "rrule $version, node $(node --version)"
node probe.mjs
