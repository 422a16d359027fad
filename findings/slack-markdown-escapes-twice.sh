#!/usr/bin/env bash
# slack-markdown (npm) turns the text of Slack's messages into HTML. Slack delivers "&", "<" and ">" escaped, in words and
# in addresses.
#
# Expected: what Slack escaped is shown as it was typed, and a link leads where its author meant it to lead.
# Observed: it is escaped once more: readers see "&lt;", and of an address with two parameters the second is called "amp;b".
# Without escaping (escapeHTML: false) the words are right, and the address is still escaped twice.
set -euo pipefail

version=0.3.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "slack-markdown@$version" >&2

cat > probe.js <<'JS'
const { toHTML } = require('slack-markdown');

const link = '<https://example.com/?a=1&amp;b=2|plan>';
// Text, options, the HTML that would be right, and what it became when this was written.
const cases = [
  ['*done*', {}, '<strong>done</strong>', '<strong>done</strong>'],  // a control
  ['a &lt; b &amp; c', {}, 'a &lt; b &amp; c', 'a &amp;lt; b &amp;amp; c'],
  [link, {}, '<a href="https://example.com/?a=1&amp;b=2">plan</a>', '<a href="https://example.com/?a=1&amp;amp;b=2">plan</a>'],
  [link, { escapeHTML: false }, '<a href="https://example.com/?a=1&amp;b=2">plan</a>',
    '<a href="https://example.com/?a=1&amp;amp;b=2">plan</a>'],
];
let changed = 0;
for (const [text, options, expected, known] of cases) {
  const observed = toHTML(text, options);
  console.log(`expected ${expected} observed ${observed}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "slack-markdown $version, node $(node --version)"
node probe.js
