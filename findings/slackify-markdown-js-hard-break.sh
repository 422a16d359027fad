#!/usr/bin/env bash
# slackify-markdown (npm) turns Markdown into Slack's mrkdwn.
#
# Expected: a hard line break (two spaces at the end of a line) is a line break, which mrkdwn writes as a plain \n.
# Observed: a backslash is put before the break. That is how Markdown spells it; Slack shows the backslash.
# (The package asks for Node 22; Node 20 gives the same.)
set -euo pipefail

version=5.0.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "slackify-markdown@$version" >&2

cat > probe.mjs <<'JS'
import { slackifyMarkdown } from 'slackify-markdown';

// Markdown, what it should become, what it became when this was written.
const cases = [
  ['soft\nbreak', 'soft\nbreak\n', 'soft\nbreak\n'],  // a control
  ['Tanaka  \nSales', 'Tanaka\nSales\n', 'Tanaka\\\nSales\n'],
  ['> first  \n> second', '> first\n> second\n', '> first\\\n> second\n'],
];
let changed = 0;
for (const [markdown, expected, known] of cases) {
  const observed = slackifyMarkdown(markdown);
  console.log([`${JSON.stringify(markdown)}:`, 'expected', JSON.stringify(expected), 'observed', JSON.stringify(observed)].join(' '));
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "slackify-markdown $version, node $(node --version)"
node probe.mjs
