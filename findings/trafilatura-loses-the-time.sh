#!/usr/bin/env bash
# trafilatura (PyPI) extracts the text of a web page.
#
# Expected: what stands in `<time>`, the element HTML has for dates and times, is text like any other.
# Observed: it is left out of the sentence, in plain text and in Markdown, when words follow it in the same paragraph: "the
# meeting begins at in room 4". `<b>` in the same place is kept.
set -euo pipefail

version=2.3.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "trafilatura==$version" "lxml_html_clean==0.4.5"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

import trafilatura

print("trafilatura", version("trafilatura"))
filler = "The agenda is the budget of next year, and everybody is asked to read the report before. "


def page(element):
    return (f"<!doctype html><html><head><title>Meeting</title></head><body><article><h1>Meeting</h1>"
            f"<p>The meeting begins at <{element}>12:30</{element}> in room 4. {filler}</p>"
            f"<p>{filler * 2}</p></article></body></html>")


changed = False
for form in ["txt", "markdown"]:
    for element, stays in [("b", True), ("time", False)]:
        text = trafilatura.extract(page(element), output_format=form)
        line = next(line for line in text.splitlines() if "begins at" in line)
        print(f"<{element}> as {form}: expected 12:30, observed {line[:50]!r}")
        changed |= ("12:30" in line) != stays
sys.exit(1 if changed else 0)
PY
