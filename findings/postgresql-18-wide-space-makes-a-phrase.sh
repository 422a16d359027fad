#!/usr/bin/env bash
# PostgreSQL's websearch_to_tsquery takes what people type into a search box: words with spaces between them are looked
# for each by itself, in any order. Japanese keyboards write the wide space U+3000. PGlite (npm) is PostgreSQL compiled
# for Node; two of its versions bring PostgreSQL 17 and 18, both with the locale C.UTF-8.
#
# Expected: the wide space separates the words of a query, as it separates those of a text.
# Observed: up to PostgreSQL 17 it does. Since 18 it makes a phrase of the words, which are then only found side by side
# and in that order; to_tsvector still separates words by it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund \
    "pglite-17@npm:@electric-sql/pglite@0.3.15" "pglite-18@npm:@electric-sql/pglite@0.5.17" >&2

cat > probe.mjs <<'JS'
const WIDE = '\u3000';
const text = `大阪${WIDE}から${WIDE}東京`;
const known = { 17: { ' ': true, [WIDE]: true }, 18: { ' ': true, [WIDE]: false } };
let changed = 0;
for (const major of [17, 18]) {
  const { PGlite } = await import(`pglite-${major}`);
  const db = await PGlite.create();
  const version = (await db.query("select current_setting('server_version') as it")).rows[0].it;
  if (!version.startsWith(`${major}.`)) changed += 1;
  for (const space of [' ', WIDE]) {
    const select = `select websearch_to_tsquery('simple', $2)::text as query,
                           to_tsvector('simple', $1) @@ websearch_to_tsquery('simple', $2) as found`;
    const { query, found } = (await db.query(select, [text, `東京${space}大阪`])).rows[0];
    const name = space === WIDE ? 'wide' : 'plain';
    console.log(`PostgreSQL ${version}, ${name} space: expected found, observed ${found ? 'found' : 'not found'} by ${query}`);
    if (found !== known[major][space]) changed += 1;
  }
  await db.close();
}
process.exit(changed ? 1 : 0);
JS
node probe.mjs
