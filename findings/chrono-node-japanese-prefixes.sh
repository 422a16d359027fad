#!/usr/bin/env bash
# chrono-node (npm) reads dates out of sentences; `chrono.ja` is its Japanese parser.
#
# Expected: a word it does not know gives no date, or the whole phrase is understood.
# Observed: a prefix that changes the meaning is skipped and the rest is read alone, so the date is wrong and nothing
# tells so: 一昨日 (the day before yesterday) is yesterday, 先週の月曜日 (Monday of last week) is the Monday to come,
# 夜9時 (nine in the evening) is nine in the morning.
set -euo pipefail

version=2.10.3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "chrono-node@$version" >&2

cat > probe.mjs <<'JS'
import * as chrono from 'chrono-node';

// Friday, 27 November 2026, noon.
const said = new Date(2026, 10, 27, 12, 0);
const two = (n) => String(n).padStart(2, '0');
const shown = (d) => `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:00`;

// What is said, what it means, what was read when this was written.
const cases = [
  ['昨日', '2026-11-26 12:00', '2026-11-26 12:00'],  // a control: plain "yesterday" is right
  ['一昨日', '2026-11-25 12:00', '2026-11-26 12:00'],
  ['先週の月曜日', '2026-11-16 12:00', '2026-11-30 12:00'],
  ['再来週の月曜日', '2026-12-07 12:00', '2026-11-30 12:00'],
  ['去年12月1日', '2025-12-01 12:00', '2026-12-01 12:00'],
  ['夜9時', '2026-11-27 21:00', '2026-11-27 09:00'],
];
let changed = 0;
for (const [text, meant, known] of cases) {
  const date = chrono.ja.parseDate(text, said);
  const read = date ? shown(date) : 'none';
  console.log(`${text}: expected ${meant}, observed ${read}`);
  if (read !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "chrono-node $version, node $(node --version)"
node probe.mjs
