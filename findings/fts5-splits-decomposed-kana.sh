#!/usr/bin/env bash
# FTS5 is SQLite's full-text index; its default tokenizer, unicode61, is documented to follow Unicode 6.1 and to fold
# accents. apsw (PyPI) brings a SQLite of its own.
#
# Expected: a mark that belongs to the letter before it stays in the word, as a combining accent on a Latin letter does.
# Observed: the two voicing marks of Japanese (U+3099, U+309A) and the selectors by which names ask for one form of a
# character (U+E0100 and up) end the word. Text in decomposed form, which is how names of files come from macOS, falls
# apart into single letters, and neither form finds the other.
set -euo pipefail

version=3.54.1.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check "apsw==$version"

"$folder/venv/bin/python" - <<'PY'
import sys
import unicodedata

import apsw

print("apsw", apsw.apsw_version(), "SQLite", apsw.sqlite_lib_version())
db = apsw.Connection(":memory:")
db.execute("create virtual table note using fts5(text)")
db.execute("create virtual table word using fts5vocab(note, instance)")


def words(text):
    db.execute("delete from note")
    db.execute("insert into note values(?)", (text,))
    return [term for (term,) in db.execute("select term from word order by offset")]


def finds(query):
    return bool(db.execute("select 1 from note where note match ?", (f'"{query}"',)).fetchall())


changed = False
# A control: a combining accent stays in its word, and both forms find each other.
cafe = unicodedata.normalize("NFD", "café")
print(f"decomposed café: expected ['cafe'], observed {words(cafe)}, found by café: {finds('café')}")
changed |= words(cafe) != ["cafe"] or not finds("café")

guide = unicodedata.normalize("NFD", "ガイド")
print(f"decomposed ガイド: expected one word, observed {words(guide)}, found by ガイド: {finds('ガイド')}")
changed |= words(guide) != ["カ", "イト"] or finds("ガイド")

katsuragi = "葛\U000e0100城"
print(f"葛城 with a selector: expected one word, observed {words(katsuragi)}, found by 葛城: {finds('葛城')}")
changed |= words(katsuragi) != ["葛", "城"] or finds("葛城")
sys.exit(1 if changed else 0)
PY
