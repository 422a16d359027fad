#!/usr/bin/env bash
# @tryfabric/mack (npm) turns Markdown into blocks for Slack.
#
# Expected: what its page lists as supported arrives: lists, code blocks, all inline elements.
# Observed: of a list only the first paragraph of each item does; a list within an item, a code block or a quotation in it
# and a second paragraph are dropped without a word. A character that is escaped with a backslash is dropped together with
# the backslash, and a line break made by two spaces joins the words on both sides. A list begins with 1 whatever its
# first number is.
set -euo pipefail

version=1.2.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "@tryfabric/mack@$version" >&2

cat > probe.mjs <<'JS'
import { markdownToBlocks } from '@tryfabric/mack';

// The Markdown, what should be found in the blocks, and their text when this was written.
const cases = [
  ['1. Book a room\n   - the one on the third floor\n2. Invite Hanako', 'the one on the third floor',
    '1. Book a room\n2. Invite Hanako'],
  ['- Start it:\n  ```\n  make run\n  ```\n- Wait', 'make run', '• Start it:\n• Wait'],
  ['- Monday\n\n  Only in the morning.\n- Tuesday', 'Only in the morning.', '• Monday\n• Tuesday'],
  ['2 \\* 3 \\* 4', '2 * 3 * 4', '2  3  4'],
  ['1-2-3 Kanda  \nTokyo', 'Kanda\nTokyo', '1-2-3 KandaTokyo'],
  ['8. Press the button\n9. Turn the key', '9. Turn the key', '1. Press the button\n2. Turn the key'],
  // Controls.
  ['- Monday\n- Tuesday', '• Tuesday', '• Monday\n• Tuesday'],
  ['```\nmake run\n```', 'make run', '```\nmake run\n```'],
];
let changed = 0;
for (const [markdown, expected, known] of cases) {
  const observed = (await markdownToBlocks(markdown)).map((block) => block.text?.text).join('\n');
  console.log(`${JSON.stringify(markdown)}: expected to hold ${JSON.stringify(expected)}, observed ${JSON.stringify(observed)}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "@tryfabric/mack $version, node $(node --version)"
node probe.mjs
