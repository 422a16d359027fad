#!/usr/bin/env bash
# dateparser (PyPI) reads dates in many languages: `parse` a whole text, `search_dates` those inside a sentence.
#
# Expected: both read 3日後 ("three days from now") alike.
# Observed: `parse` says three days from now. `search_dates` cuts the word behind the number off, and a bare 3日 counts
# as three days *ago*: the same words, even alone, lie on the other side of today.
set -euo pipefail

version=1.5.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "dateparser==$version"

"$folder/venv/bin/python" - <<'PY'
import datetime
import sys
from importlib.metadata import version

import dateparser
from dateparser.search import search_dates

print("dateparser", version("dateparser"))
said = datetime.datetime(2026, 11, 27, 12, 0)
settings = {"RELATIVE_BASE": said}
day = datetime.timedelta(days=1)

# What is said, and how far ahead that is.
cases = [("3日後", 3 * day), ("締切は3日後です", 3 * day), ("2週間後に会おう", 14 * day)]
changed = False
for text, ahead in cases:
    found = search_dates(text, languages=["ja"], settings=settings)
    observed = found[0][1] - said if found else None
    print(f"search_dates({text}): expected {ahead}, observed {observed} in {found[0][0] if found else None}")
    changed |= observed != -ahead
whole = dateparser.parse("3日後", languages=["ja"], settings=settings) - said
print(f"parse(3日後): expected {3 * day}, observed {whole}")
changed |= whole != 3 * day
sys.exit(1 if changed else 0)
PY
