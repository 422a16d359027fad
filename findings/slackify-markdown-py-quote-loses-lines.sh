#!/usr/bin/env bash
# slackify_markdown (PyPI) turns Markdown into Slack's mrkdwn.
#
# Expected: each line of a quotation begins with ">", since in mrkdwn ">" quotes one line.
# Observed: only the first line does. The rest of the quotation stands there as if the poster said it.
set -euo pipefail

version=0.2.4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "slackify_markdown==$version"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

from slackify_markdown import slackify_markdown

print("slackify_markdown", version("slackify_markdown"))
# What a model writes, what it should become, what it became when this was written.
cases = [
    ("> one line\n\nand an answer", "> one line\n\nand an answer\n", "> one line\n\nand an answer\n"),  # a control
    ("> first\n> second", "> first\n> second\n", "> first\nsecond\n"),
    ("> first\n>\n> after a gap", "> first\n>\n> after a gap\n", "> first\n\nafter a gap\n"),
]
changed = False
for markdown, expected, known in cases:
    observed = slackify_markdown(markdown)
    print(f"{markdown!r}: expected {expected!r}, observed {observed!r}")
    changed |= observed != known
sys.exit(1 if changed else 0)
PY
