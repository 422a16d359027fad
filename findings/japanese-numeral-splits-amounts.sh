#!/usr/bin/env bash
# @geolonia/japanese-numeral (npm) finds numbers in Japanese text (`findKanjiNumbers`) and reads them (`kanji2number`),
# also where figures and kanji are mixed, as amounts are written.
#
# Expected: an amount with a comma or a point is found as one number and read as that number, or it is refused, as
# `kanji2number` refuses "3万2,500".
# Observed: it is cut at the comma or the point and the pieces are read: 12万5,000円 is 120,005, 1億2,000万円 is 100,000,002
# and 0, and 1.5万人 are 50,000. As a whole, 1億2,000万 is read as 100,000,000 and 1.5億 as 0. Without commas all is right.
set -euo pipefail

version=1.0.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "@geolonia/japanese-numeral@$version" >&2

cat > probe.cjs <<'JS'
const { findKanjiNumbers, kanji2number } = require('@geolonia/japanese-numeral');

let changed = 0;
// A text, the amount in it, and the numbers that were found in it when this was written.
for (const [text, expected, known] of [
  ['家賃は12万5,000円です', '125000', '120005'],
  ['予算は1億2,000万円です', '120000000', '100000002 0'],
  ['1.5万人が来た', '15000', '50000'],
  // Controls.
  ['予算は1億2000万円です', '120000000', '120000000'],
  ['家賃は十二万五千円です', '125000', '125000'],
]) {
  const observed = findKanjiNumbers(text).map(kanji2number).join(' ');
  console.log(`${text}: expected ${expected}, observed ${observed}`);
  if (observed !== known) changed += 1;
}
for (const [amount, expected, known] of [['1億2,000万', 120000000, 100000000], ['1.5億', 150000000, 0]]) {
  const observed = kanji2number(amount);
  console.log(`${amount} as a whole: expected ${expected}, observed ${observed}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "@geolonia/japanese-numeral $version, node $(node --version)"
node probe.cjs
