#!/usr/bin/env bash
# any-date-parser (npm) reads dates in all locales that the runtime knows.
#
# Expected: "5 minutes ago" is five minutes ago; a date that a locale writes otherwise is read, or is no date.
# Observed: what is said relative to now is told in UTC and taken for the clock of the place: in Tokyo "5 minutes ago" is
# nine hours and five minutes ago. "November 30" written as 11/30 is 11 March outside America, and in Japanese whatever is
# longer than a bare 2026年11月30日, or shorter, or has slashes, is New Year's Day of this year.
set -euo pipefail

version=2.2.4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "any-date-parser@$version" >&2

cat > probe.mjs <<'JS'
import module from 'any-date-parser';

const parser = module.default ?? module;
const year = new Date().getFullYear();
let changed = 0;
for (const [words, locale, expected, known] of [
  // Controls.
  ['30 November 2026', 'en-GB', '2026-11-30', '2026-11-30'],
  ['11/30/2026', 'en-US', '2026-11-30', '2026-11-30'],
  ['2026年11月30日', 'ja-JP', '2026-11-30', '2026-11-30'],
  ['11/30/2026', 'en-GB', 'no date', '2026-03-11'],
  ['2026/11/30', 'ja-JP', '2026-11-30', `${year}-01-01`],
  ['2026年11月30日 15:30', 'ja-JP', '2026-11-30', `${year}-01-01`],
  ['11月30日', 'ja-JP', `${year}-11-30`, `${year}-01-01`],
]) {
  const date = parser.fromString(words, locale);
  const observed = date.toLocaleDateString('sv-SE');
  console.log(`${words} (${locale}): expected ${expected}, observed ${observed}`);
  if (observed !== known) changed += 1;
}
for (const [place, known] of [['UTC', 5], ['Asia/Tokyo', 545]]) {
  process.env.TZ = place;
  const observed = Math.round((Date.now() - parser.fromString('5 minutes ago', 'en-US')) / 60_000);
  console.log(`"5 minutes ago" in ${place}: expected 5 minutes ago, observed ${observed}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "any-date-parser $version, node $(node --version)"
node probe.mjs
