#!/usr/bin/env bash
# markdown-to-slack-blocks (npm) and slack-blocks-markdown (PyPI) turn the Markdown of language models into blocks of
# Slack; md-to-slack (npm) turns it into Slack's own marks.
#
# Expected: the words of an answer arrive, in their lines, with what is done and what is not.
# Observed: in the first a line that ends in a break is glued to the next, paragraphs of a quotation or of an item are, a
# link that is explained below is nothing, and so are a list in a quotation, a quotation or code in an item, and the ticks
# of tasks. In the second a list in a quotation is nothing, and an item's code follows its words with nothing between.
# In the third the items of an inner list stand in one line.
set -euo pipefail

blocks=1.5.0
python=0.2.1
marks=1.1.7
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-compile --disable-pip-version-check "slack-blocks-markdown==$python"
npm install --silent --no-audit --no-fund "markdown-to-slack-blocks@$blocks" "md-to-slack@$marks" >&2

# The Markdown, and the words that the first and the second sent when this was written.
cat > cases.json <<'JSON'
[
  ["A **plain** answer.", "A *plain* answer.", "A *plain* answer."],
  ["room 3  \n15 people", "room 315 people", "room 3\n\n15 people"],
  ["[the plan][1]\n\n[1]: https://example.org/plan", "", "<https://example.org/plan|the plan>"],
  ["- [x] booked\n- [ ] paid", "booked / paid", "[x] booked / [ ] paid"],
  ["> He said no.\n>\n> She said yes.", "He said no.She said yes.", "He said no.\nShe said yes."],
  ["> - nine\n> - ten", "", ""],
  ["1. Type\n\n   ```\n   make\n   ```\n2. Wait", "Type / Wait", "Typemake\n / Wait"],
  ["- > He said no.\n- Wait", "Wait", "He said no. / Wait"]
]
JSON
cat > probe.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { markdownToBlocks } from 'markdown-to-slack-blocks';
import { markdownToSlack } from 'md-to-slack';

/** The words of a block; those of lists with a stroke between the items. */
function words(block) {
  if (typeof block.text === 'string') return block.text;
  if (block.text) return words(block.text);
  return (block.elements ?? []).map(words).join(block.type === 'rich_text_list' ? ' / ' : '');
}
let changed = 0;
for (const [markdown, known] of JSON.parse(readFileSync('cases.json'))) {
  const observed = markdownToBlocks(markdown).map(words).join('\n');
  console.log(`${JSON.stringify(markdown)}: observed ${JSON.stringify(observed)}`);
  if (observed !== known) changed += 1;
}
const nested = markdownToSlack('- Kyoto\n  - temple\n    - garden\n- Nara');
console.log(`md-to-slack: expected four lines, observed ${JSON.stringify(nested)}`);
if (nested !== '- Kyoto- temple- garden\n- Nara') changed += 1;
process.exit(changed ? 1 : 0);
JS
cat > probe.py <<'PY'
import json
import sys

from slack_blocks_markdown import markdown_to_blocks


def words(block):
    text = block.get("text")
    if isinstance(text, str):
        return text
    if text:
        return words(text)
    return (" / " if block["type"] == "rich_text_list" else "").join(map(words, block.get("elements", [])))


changed = False
with open("cases.json", encoding="utf-8") as file:
    cases = json.load(file)
for markdown, _, known in cases:
    observed = "\n".join(words(block) for block in markdown_to_blocks(markdown))
    print(f"{markdown!r}: observed {observed!r}")
    changed |= observed != known
sys.exit(1 if changed else 0)
PY
status=0
echo "markdown-to-slack-blocks $blocks, md-to-slack $marks, node $(node --version)"
node probe.mjs || status=1
echo "slack-blocks-markdown $python"
venv/bin/python probe.py || status=1
exit "$status"
