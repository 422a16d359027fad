#!/usr/bin/env bash
# sumy (PyPI) makes summaries by picking sentences of a text, in Japanese among other languages.
#
# Expected: each sentence of the text can be picked: a summary that may have more sentences than the text is the text.
# Observed: a Japanese sentence that does not end with a full-width 。, ！ or ？ is no sentence and is gone: one that ends
# with "!" or "…" or with the text, and the half behind a closing quotation mark. Neither does a number count as a word.
set -euo pipefail

version=0.13.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "sumy==$version" tinysegmenter==0.4 2>/dev/null

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys
from importlib.metadata import version

from sumy.nlp.tokenizers import Tokenizer
from sumy.parsers.plaintext import PlaintextParser
from sumy.summarizers.luhn import LuhnSummarizer

print("sumy", version("sumy"))
tokenizer = Tokenizer("japanese")
summarize = LuhnSummarizer()
changed = False
for text, known in [
    ("会議は十時からです。場所は神田", "会議は十時からです。"),
    ("会議は十時からです。遅れないで!", "会議は十時からです。"),
    ("「明日は行けない。」と佐藤さんが言った", "「明日は行けない。"),
    ("鍵は鈴木さんが持っている", ""),
    # A control.
    ("会議は十時からです。場所は神田です。", "会議は十時からです。場所は神田です。"),
]:
    document = PlaintextParser.from_string(text, tokenizer).document
    observed = "".join(str(sentence) for sentence in summarize(document, 10))
    print(f"expected {text!r}, observed {observed!r}")
    changed |= observed != known
words = tokenizer.to_words("会議は10時から")
print(f"words of 会議は10時から: {' '.join(words)}")
changed |= "10" in words
sys.exit(1 if changed else 0)
PY
