#!/usr/bin/env bash
# mautrix (PyPI, a framework for Matrix on which bridges and bots are built) turns formatted messages into text.
#
# Expected: the cells of a table, which Matrix's specification counts among what messages may hold, stand apart.
# Observed: all cells of all rows follow each other with nothing between them: room 3 for 15 people is "315". Lists keep
# their numbers and quotations their marks.
set -euo pipefail

version=0.21.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "mautrix==$version"

"$folder/venv/bin/python" - <<'PY'
import asyncio
import sys
from importlib.metadata import version

from mautrix.util.formatter import parse_html

print("mautrix", version("mautrix"))


def row(tag, *cells):
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


rooms = "<table>" + row("th", "room", "people") + row("td", "3", "15") + row("td", "12", "4") + "</table>"
changed = False
for html, expected, known in [
    (rooms, "a line for each row, 3 apart from 15", "roompeople315124"),
    # Controls.
    ('<ol start="5"><li>five</li><li>six</li></ol>', "5. five\n6. six", "5. five\n6. six"),
    ("<blockquote>one<br>two</blockquote>", "> one\n> two", "> one\n> two"),
]:
    observed = asyncio.run(parse_html(html))
    print(f"{html}: expected {expected!r}, observed {observed!r}")
    changed |= observed != known
sys.exit(1 if changed else 0)
PY
