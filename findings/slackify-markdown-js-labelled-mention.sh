#!/usr/bin/env bash
# slackify-markdown (npm) turns Markdown into Slack's mrkdwn, and lets Slack's own mentions (<@U1>, <#C1>) through.
#
# Expected: the labelled form, which is how Slack itself delivers channels (<#C1|general>), is let through as well, or is
# escaped as a whole.
# Observed: the "<" is kept and the ">" is escaped, so it is neither a mention nor plain text. The same mention passes
# whole where another one without a label follows on its line.
# (The package asks for Node 22; Node 20 gives the same.)
set -euo pipefail

version=5.0.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "slackify-markdown@$version" >&2

cat > probe.mjs <<'JS'
import { slackifyMarkdown } from 'slackify-markdown';

// Each text should come out as it went in; behind it, what it became when this was written.
const cases = [
  ['see <#C1>', 'see <#C1>\n'],  // a control
  ['see <#C1|general>', 'see <#C1|general&gt;\n'],
  ['<#C1|general> for <@U1>', '<#C1|general> for <@U1>\n'],
];
let changed = 0;
for (const [text, known] of cases) {
  const observed = slackifyMarkdown(text);
  console.log(`expected ${JSON.stringify(text + '\n')} observed ${JSON.stringify(observed)}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "slackify-markdown $version, node $(node --version)"
node probe.mjs
