#!/usr/bin/env bash
# vectra (npm) keeps vectors and what belongs to them in files, and searches among those that a filter lets through.
#
# Expected: `{ room: { $in: [3, 15] } }` lets through what has the room 3 or 15, and `$nin` what has neither; the types
# say `(number | string)[]` for both.
# Observed: with numbers `$in` lets nothing through and `$nin` everything, those included that it names. With words both
# are right, and so are `$or` and `$ne` with numbers.
set -euo pipefail

version=0.15.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "vectra@$version" >&2

cat > probe.mjs <<'JS'
import { LocalIndex } from 'vectra';

const notes = [['morning', 3], ['noon', 15], ['evening', 7]];
const index = new LocalIndex(`${process.cwd()}/notes`);
await index.createIndex();
for (const [id, room] of notes) await index.insertItem({ id, vector: [1, room / 100], metadata: { room, words: id } });

let changed = 0;
for (const [filter, expected, known] of [
  // Controls.
  [{ words: { $in: ['morning', 'noon'] } }, 'morning, noon', 'morning, noon'],
  [{ words: { $nin: ['morning', 'noon'] } }, 'evening', 'evening'],
  [{ $or: [{ room: 3 }, { room: 15 }] }, 'morning, noon', 'morning, noon'],
  [{ room: { $ne: 3 } }, 'evening, noon', 'evening, noon'],
  [{ room: { $in: [3, 15] } }, 'morning, noon', ''],
  [{ room: { $nin: [3, 15] } }, 'evening', 'evening, morning, noon'],
]) {
  const found = await index.queryItems([1, 0], '', 10, filter);
  const observed = found.map(({ item }) => item.id).sort().join(', ');
  console.log(`${JSON.stringify(filter)}: expected "${expected}", observed "${observed}"`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "vectra $version, node $(node --version)"
node probe.mjs
