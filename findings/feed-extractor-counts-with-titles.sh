#!/usr/bin/env bash
# @extractus/feed-extractor (npm) reads and evens out feeds in RSS, Atom and JSON.
#
# Expected: a title is the words that stand there, a description its text.
# Observed: a title that looks like a number becomes that number: 3.10 is 3.1, 007 is 7, 1e3 is 1000. In a description two
# lines are one word, and whatever follows a "less than" is gone. feedsmith (npm) keeps all of it.
set -euo pipefail

version=8.0.3
reference=3.0.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "@extractus/feed-extractor@$version" "feedsmith@$reference" >&2

cat > probe.mjs <<'JS'
import { extractFromXml } from '@extractus/feed-extractor';
import { parseFeed } from 'feedsmith';

// A title, a description, and what both were when this was written.
const cases = [
  ['Release 3.10', 'A plain text.', 'Release 3.10', 'A plain text.'],  // a control
  ['3.10', '<p>nine<br>ten</p>', '3.1', 'nineten'],
  ['007', '<p>if 2 &lt; 3 then stop</p>', '7', 'if 2'],
  ['1e3', '<ul><li>3</li><li>15</li></ul>', '1000', '315'],
];
const escaped = (html) => html.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const item = ([title, description], index) => `<item><title>${title}</title><guid>https://example.org/${index}</guid>
  <link>https://example.org/${index}</link><description>${escaped(description)}</description></item>`;
const feed = `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Releases</title>
  <link>https://example.org/</link><description>All of them</description>${cases.map(item).join('')}</channel></rss>`;

const { items } = parseFeed(feed).feed;
const { entries } = extractFromXml(feed);
let changed = 0;
for (const [index, [title, description, knownTitle, knownText]] of cases.entries()) {
  const { title: observedTitle, description: observedText } = entries[index];
  console.log(`expected "${items[index].title}" and the text of ${JSON.stringify(items[index].description)}`);
  console.log(`  observed "${observedTitle}" and "${observedText}"`);
  if (`${observedTitle}` !== knownTitle || observedText !== knownText) changed += 1;
  if (items[index].title !== title || items[index].description !== description) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "@extractus/feed-extractor $version beside feedsmith $reference, node $(node --version)"
node probe.mjs
