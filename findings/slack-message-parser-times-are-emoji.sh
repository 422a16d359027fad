#!/usr/bin/env bash
# slack-message-parser (npm) takes the text of Slack's messages apart into a tree: words, mentions, emoji.
#
# Expected: a time with seconds, or a number with colons, is text, as Slack's client shows it.
# Observed: what stands between two colons is an emoji, digits too: of "10:30:45" only 10 and 45 are text, and ":30:" is an
# emoji named 30. Whoever drops or draws emoji loses the minutes.
set -euo pipefail

version=3.0.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "slack-message-parser@$version" >&2

cat > probe.js <<'JS'
const { parse, NodeType } = require('slack-message-parser');

// Text, and the emoji that were found in it when this was written.
const cases = [
  ['done :tada:', [':tada:']],  // a control
  ['the pump stopped at 10:30', []],  // a control
  ['the pump stopped at 10:30:45', [':30:']],
  ['slot 3:12:07 is free', [':12:']],
];
let changed = 0;
for (const [text, known] of cases) {
  const emoji = parse(text).children.filter((node) => node.type === NodeType.Emoji).map((node) => node.source);
  console.log(`${JSON.stringify(text)}: emoji ${JSON.stringify(emoji)}`);
  if (JSON.stringify(emoji) !== JSON.stringify(known)) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "slack-message-parser $version, node $(node --version)"
node probe.js
