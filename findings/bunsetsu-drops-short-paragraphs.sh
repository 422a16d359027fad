#!/usr/bin/env bash
# bunsetsu (PyPI) cuts Japanese text into chunks for a search by meaning.
#
# Expected: each character of the text stands in a chunk; what is shorter than the smallest chunk is joined to its
# neighbour, or is a chunk of its own.
# Observed: with its usual way (`strategy="semantic"`) a paragraph of fewer than 100 characters is in no chunk at all, and
# nothing says so. A note of one sentence gives no chunk, and of a page only the long paragraphs are left. The other two
# ways keep all of it.
set -euo pipefail

version=0.1.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "bunsetsu==$version"

"$folder/venv/bin/python" - <<'PY'
import sys
from importlib.metadata import version

from bunsetsu import chunk_text

print("bunsetsu", version("bunsetsu"))
short = "花さんの誕生日は四月十二日です。"
long = "庭の手入れは毎月の第一土曜日に行い、雨のときは翌週に延ばします。" * 4
after = "持ち物は軍手と水筒です。"

# The text, how it is cut, and which of its paragraphs are in the chunks.
cases = [
    ("a short note", short, {}, [False]),
    ("short, long and short", f"{short}\n\n{long}\n\n{after}", {}, [False, True, False]),
    ("the same, recursive", f"{short}\n\n{long}\n\n{after}", {"strategy": "recursive"}, [True, True, True]),
    ("the same, fixed", f"{short}\n\n{long}\n\n{after}", {"strategy": "fixed"}, [True, True, True]),
]
changed = False
for name, text, how, observed in cases:
    chunks = chunk_text(text, **how)
    everything = "".join(chunk.text for chunk in chunks)
    found = [paragraph in everything for paragraph in text.split("\n\n")]
    print(f"{name}: expected each of its paragraphs, observed {found} in {len(chunks)} chunks")
    changed |= found != observed
sys.exit(1 if changed else 0)
PY
