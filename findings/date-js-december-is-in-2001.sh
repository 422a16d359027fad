#!/usr/bin/env bash
# date.js (npm) reads dates in English, as people type them: `date(text, now)`.
#
# Expected: a day without a year is one near now, and what is not understood is no date.
# Observed: "december 24" and "5 november" are in 2001, whatever the year is; "december 24 at noon" is tomorrow at noon, "on
# december 24" is now, and "in half an hour" is five past midnight. Days with an ordinal ("24th of december") are right.
set -euo pipefail

version=0.3.3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "date.js@$version" >&2

cat > probe.cjs <<'JS'
const date = require('date.js');

let changed = 0;
for (const [text, now, expected, known] of [
  ['december 24', '2026-11-30T15:00', '2026-12-24T…', '2001-12-24T00:00'],
  ['5 november', '2026-11-01T15:00', '2026-11-05T…', '2001-11-05T00:00'],
  ['december 24 at noon', '2026-11-30T15:00', '2026-12-24T12:00', '2026-12-01T12:00'],
  ['in half an hour', '2026-11-30T15:00', '2026-11-30T15:30', '2026-12-01T00:05'],
  ['on december 24', '2026-11-30T15:00', '2026-12-24T…, or no date', '2026-11-30T15:00'],
  // Controls.
  ['24th of december', '2026-11-30T15:00', '2026-12-24T15:00', '2026-12-24T15:00'],
  ['in 30 minutes', '2026-11-30T15:00', '2026-11-30T15:30', '2026-11-30T15:30'],
]) {
  const observed = date(text, new Date(`${now}:00Z`)).toISOString().slice(0, 16);
  console.log(`${text}, on ${now}: expected ${expected}, observed ${observed}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "date.js $version, node $(node --version)"
TZ=UTC node probe.cjs
