#!/usr/bin/env bash
# python-docx and mammoth (PyPI) read Word files; mammoth is also what markitdown reads them with.
#
# Expected: where a word has its reading above it (furigana, `w:ruby`), the text holds the word, with its reading or
# without.
# Observed: it holds neither. A name that Word has put furigana on is not in the text: "担当はさんです" ("in charge is
# Mr."). mammoth at least leaves a warning beside its result. docx2txt keeps both, the reading first.
set -euo pipefail

docx=1.2.0
mammoth=1.13.0
docx2txt=0.9
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "python-docx==$docx" "mammoth==$mammoth" "docx2txt==$docx2txt"

"$folder/venv/bin/python" - "$folder/note.docx" <<'PY'
import sys
import zipfile
from importlib.metadata import version

import docx
import docx2txt
import mammoth

word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
package = "http://schemas.openxmlformats.org/package/2006"
office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
run = "<w:r><w:t>{}</w:t></w:r>".format
ruby = (
    '<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="distributeSpace"/><w:hps w:val="10"/><w:hpsRaise w:val="18"/>'
    '<w:hpsBaseText w:val="21"/><w:lid w:val="ja-JP"/></w:rubyPr>'
    f"<w:rt>{run('たかなし')}</w:rt><w:rubyBase>{run('小鳥遊')}</w:rubyBase></w:ruby></w:r>"
)
body = f"<w:p>{run('担当は')}{ruby}{run('さんです。')}</w:p><w:p>{run('受付は佐藤さんです。')}</w:p>"
parts = {
    "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
    f'<Relationship Id="r1" Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>',
}
path = sys.argv[1]
with zipfile.ZipFile(path, "w") as file:
    for name, text in parts.items():
        file.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')

with open(path, "rb") as file:
    raw = mammoth.extract_raw_text(file).value
with open(path, "rb") as file:
    page = mammoth.convert_to_html(file).value
read = {
    "python-docx": "\n".join(paragraph.text for paragraph in docx.Document(path).paragraphs),
    "mammoth": raw,
    "mammoth, HTML": page,
    "docx2txt": docx2txt.process(path),
}
print(", ".join(f"{name} {version(name)}" for name in ("python-docx", "mammoth", "docx2txt")))
changed = False
for name, text in read.items():
    found = "小鳥遊" in text
    print(f"{name}: expected 小鳥遊 in it, observed {text.split()[0]!r}: {found}")
    changed |= found != (name == "docx2txt") or "佐藤" not in text
sys.exit(1 if changed else 0)
PY
