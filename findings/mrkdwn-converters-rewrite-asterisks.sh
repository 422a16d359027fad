#!/usr/bin/env bash
# md2mrkdwn and markdown-to-mrkdwn (both PyPI) turn Markdown into Slack's mrkdwn, where _italic_ replaces *italic*.
#
# Expected: an asterisk with spaces on both sides is no emphasis in Markdown (CommonMark 6.2), and what stands between
# backticks is left as it is.
# Observed: both put underscores in the place of the asterisks of sums and of cron lines. markdown-to-mrkdwn does the
# same, and more, between backticks.
set -euo pipefail

md2mrkdwn=0.4.5
markdown_to_mrkdwn=0.3.3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "md2mrkdwn==$md2mrkdwn" "markdown-to-mrkdwn==$markdown_to_mrkdwn"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

import md2mrkdwn
from markdown_to_mrkdwn import SlackMarkdownConverter

converters = {"md2mrkdwn": md2mrkdwn.convert, "markdown-to-mrkdwn": SlackMarkdownConverter().convert}
for name in converters:
    print(name, version(name))

# Each text should come out as it went in; behind it, what either made of it when this was written.
cases = [
    ("one * is left", "one * is left", "one * is left"),  # a control
    ("2 * 3 * 4 = 24", "2 _ 3 _ 4 = 24", "2 _ 3 _ 4 = 24"),
    ("0 9 * * 1 runs on Mondays", "0 9 _ _ 1 runs on Mondays", "0 9 _ _ 1 runs on Mondays"),
    ("`a * b * c`", "`a * b * c`", "`a _ b _ c`"),
    ("`**options`, `[a](b)`", "`**options`, `[a](b)`", "`**options`, `<b|a>`"),
]
changed = False
for text, *known in cases:
    for (name, convert), before in zip(converters.items(), known):
        observed = convert(text)
        print(f"{name}: expected {text!r}, observed {observed!r}")
        changed |= observed != before
sys.exit(1 if changed else 0)
PY
