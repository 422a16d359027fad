#!/usr/bin/env bash
# lunr-languages (npm) teaches Lunr, a search in the browser, other languages; it calls itself a retrieval layer for
# assistants.
#
# Expected: with Japanese, words copied out of a text find that text.
# Observed: texts are cut into words (佐藤 and さん), queries are not. What the cutting splits is never found: a name as it
# is said, a date, an hour. Cut by the same tokenizer and joined by spaces, the same queries find it.
set -euo pipefail

version=1.22.0
lunr=2.3.9
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "lunr-languages@$version" "lunr@$lunr" >&2

cat > probe.cjs <<'JS'
const lunr = require('lunr');
require('lunr-languages/lunr.stemmer.support')(lunr);
require('lunr-languages/tinyseg')(lunr);
require('lunr-languages/lunr.ja')(lunr);

const text = '佐藤さんの誕生日は11月5日、会議は15時から。';
const index = lunr(function build() {
  this.use(lunr.ja);
  this.ref('id');
  this.field('text');
  this.add({ id: '1', text });
});
const cut = (query) => lunr.ja.tokenizer(query).join(' ');
let changed = 0;
for (const [query, known] of [
  ['佐藤さん', 0], ['11月5日', 0], ['15時', 0],
  // Controls: each is one word of the text.
  ['佐藤', 1], ['誕生', 1], ['会議', 1],
]) {
  if (!text.includes(query)) throw new Error(query);
  const observed = index.search(query).length;
  const helped = index.search(cut(query)).length;
  console.log(`${query}: expected 1, observed ${observed}; as "${cut(query)}": ${helped}`);
  if (observed !== known || helped !== 1) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "lunr-languages $version with lunr $lunr, node $(node --version)"
node probe.cjs
