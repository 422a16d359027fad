#!/usr/bin/env bash
# slack_sdk (PyPI) has a model for each of Slack's blocks: Block.parse reads one, to_dict() writes it.
#
# Expected: what a message holds is still there when its own blocks are written back, as a bot does that appends a line to
# a message, and attributes that a model does not know are kept or refused.
# Observed: of rich text, the border of a quotation and the language of a code block are dropped without a word, while the
# border of a list or of a code block is kept.
set -euo pipefail

version=3.48.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "slack_sdk==$version"

cat > "$folder/probe.py" <<'PY'
import sys

from slack_sdk.models.blocks import Block

WORDS = [{"type": "text", "text": "flour"}]
SECTION = {"type": "rich_text_section", "elements": WORDS}
# An element of rich text, and what was lost of it when this was written.
CASES = [
    ({"type": "rich_text_list", "style": "ordered", "border": 1, "offset": 2, "elements": [SECTION]}, set()),
    ({"type": "rich_text_preformatted", "border": 1, "elements": WORDS}, set()),
    ({"type": "rich_text_preformatted", "language": "rust", "elements": WORDS}, {"language"}),
    ({"type": "rich_text_quote", "border": 1, "elements": WORDS}, {"border"}),
]
changed = 0
for element, known in CASES:
    block = {"type": "rich_text", "elements": [element]}
    written = Block.parse(block).to_dict()["elements"][0]
    lost = set(element) - set(written)
    print(f"{element['type']} with {sorted(set(element) - {'type', 'elements'})}: lost {sorted(lost)}")
    changed += lost != known
sys.exit(1 if changed else 0)
PY
echo "slack_sdk $version, Python $("$folder/venv/bin/python" --version | cut -d' ' -f2)"
"$folder/venv/bin/python" "$folder/probe.py"
