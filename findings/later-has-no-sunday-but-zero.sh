#!/usr/bin/env bash
# @breejs/later (npm) reads cron lines for the scheduler Bree; prettycron (npm) explains them in words with its ancestor.
#
# Expected: 7 is Sunday, as 0 is: so crontab(5) has it, so Bree's own check of a line lets it pass.
# Observed: 7 is Saturday, and "Friday to Sunday" (5-7) ends on Saturday. "On the 1st or on a Monday" (0 9 1 * 1), which
# crontab(5) has as either, is a Monday that is a 1st. cron-parser (npm) reads all three as crontab does.
set -euo pipefail

bree=9.2.9
later=4.2.0
pretty=0.10.0
reference=5.10.5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "bree@$bree" "@breejs/later@$later" "prettycron@$pretty" \
    "cron-parser@$reference" >&2

cat > probe.mjs <<'JS'
import later from '@breejs/later';
import Bree from 'bree';
import cronParser from 'cron-parser';
import prettyCron from 'prettycron';

const start = new Date('2026-11-30T12:00:00Z');
const days = (dates) => dates.map((date) => `${date.toUTCString().slice(0, 3)} ${date.toISOString().slice(0, 10)}`);
later.date.UTC();

let changed = 0;
for (const [line, known, words] of [
  // Controls.
  ['0 9 * * 0', 'Sun 2026-12-06, Sun 2026-12-13, Sun 2026-12-20', '09:00 on Sun'],
  ['0 9 * * 1-5', 'Tue 2026-12-01, Wed 2026-12-02, Thu 2026-12-03', '09:00 on Mon, Tue, Wed, Thu and Fri'],
  ['0 9 * * 7', 'Sat 2026-12-05, Sat 2026-12-12, Sat 2026-12-19', '09:00 on Sat'],
  ['0 9 * * 5-7', 'Fri 2026-12-04, Sat 2026-12-05, Fri 2026-12-11', '09:00 on Fri and Sat'],
  ['0 9 1 * 1', 'Mon 2027-02-01, Mon 2027-03-01, Mon 2027-11-01', '09:00 on the 1st of every month and every Mon'],
]) {
  const expected = days(cronParser.CronExpressionParser.parse(line, { currentDate: start, tz: 'UTC' }).take(3)
    .map((date) => date.toDate())).join(', ');
  const bree = new Bree({ root: false, logger: false, jobs: [{ name: 'job', path: () => {}, cron: line }] });
  await bree.init();
  const observed = days(later.schedule(bree.config.jobs[0].interval).next(3, start)).join(', ');
  const said = prettyCron.toString(line);
  console.log(`${line}\n  expected ${expected}\n  observed ${observed}; in words "${said}"`);
  if (observed !== known || said !== words) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "bree $bree, @breejs/later $later, prettycron $pretty beside cron-parser $reference, node $(node --version)"
TZ=UTC node probe.mjs
