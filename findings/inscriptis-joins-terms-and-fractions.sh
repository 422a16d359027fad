#!/usr/bin/env bash
# inscriptis (PyPI) turns HTML into text that is laid out as a browser would.
#
# Expected: a term and its description (`<dl>`) stand on lines of their own, a list begins where `start` says, and a
# fraction is no number.
# Observed: the term and the description are one word ("WhereKanda"), `<ol start=5>` begins with 1 although `value` of a
# single item counts, and one half is 12.
set -euo pipefail

version=2.7.6
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "inscriptis==$version"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

from inscriptis import get_text

print("inscriptis", version("inscriptis"))
cases = [
    ("<dl><dt>Where</dt><dd>Kanda</dd></dl>", "Where, and Kanda on the next line", "WhereKanda"),
    ("<ol start='5'><li>five</li><li>six</li></ol>", "5. and 6.", "1. five\n 2. six"),
    ("<ol><li value='9'>nine</li></ol>", "9. (as it is)", "9. nine"),
    ("<p>a pace of <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> m</p>", "1/2", "a pace of 12 m"),
]
changed = False
for html, expected, observed in cases:
    text = get_text(f"<html><body>{html}</body></html>").strip()
    print(f"{html}: expected {expected}, observed {text!r}")
    changed |= text != observed
sys.exit(1 if changed else 0)
PY
