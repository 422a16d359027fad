#!/usr/bin/env bash
# openpyxl, xlsx2csv (PyPI) and exceljs (npm) read Excel files; pandas and markitdown read them with openpyxl.
#
# Expected: a cell that Excel shows as 2026年11月30日 is that date, as it is with the format 2026/11/30.
# Observed: it is the number 46356. Excel in Japanese writes its usual formats for dates by their number alone, 27 to 36
# and 50 to 58 (ECMA-376, 18.8.30), and these readers know of dates only 14 to 22 and formats that are spelled out.
# python-calamine (PyPI) reads all as dates.
set -euo pipefail

openpyxl=3.1.5
xlsx2csv=0.8.6
calamine=0.9.1
exceljs=4.4.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-compile --disable-pip-version-check \
    "openpyxl==$openpyxl" "xlsx2csv==$xlsx2csv" "python-calamine==$calamine"
npm install --silent --no-audit --no-fund "exceljs@$exceljs" >&2

cat > make.py <<'PY'
"""Writes a file as Excel does: the same day in column A under five formats."""
import sys
import zipfile

main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
package = "http://schemas.openxmlformats.org/package/2006"
office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# 14 is the short date, 27, 31 and 57 are years, months and days in Japanese, 176 is spelled out.
formats = [14, 27, 31, 57, 176]
xfs = "".join(
    f'<xf numFmtId="{number}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    for number in [0, *formats]
)
rows = "".join(
    f'<row r="{row}"><c r="A{row}" s="{row}"><v>46356</v></c></row>' for row in range(1, len(formats) + 1)
)
parts = {
    "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{kind}.styles+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
    f'<Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}">'
    '<sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
    f'<Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{office}/styles" Target="styles.xml"/></Relationships>',
    "xl/styles.xml": f'<styleSheet xmlns="{main}"><numFmts count="1">'
    '<numFmt numFmtId="176" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;;@"/></numFmts>'
    '<fonts count="1"><font><sz val="11"/><name val="Yu Gothic"/></font></fonts>'
    '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="{len(formats) + 1}">{xfs}</cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
    "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
}
with zipfile.ZipFile(sys.argv[1], "w") as file:
    for name, text in parts.items():
        file.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{text}')
PY
cat > probe.py <<'PY'
import csv
import io
import sys
from datetime import date
from importlib.metadata import version

import openpyxl
import python_calamine
import xlsx2csv

path = sys.argv[1]
text = io.StringIO()
xlsx2csv.Xlsx2csv(path, dateformat="%Y-%m-%d").convert(text)
read = {
    "openpyxl": [row[0] for row in openpyxl.load_workbook(path).active.iter_rows(values_only=True)],
    "xlsx2csv": [row[0] for row in csv.reader(io.StringIO(text.getvalue()))],
    "python-calamine": [row[0] for row in python_calamine.load_workbook(path).get_sheet_by_index(0).to_python()],
}
changed = False
for name, cells in read.items():
    observed = [cell[:10] if isinstance(cell, str) else f"{cell:%Y-%m-%d}" if isinstance(cell, date) else f"{cell}"
                for cell in cells]
    print(f"{name} {version(name)}: expected 2026-11-30 five times, observed {' '.join(observed)}")
    known = ["2026-11-30"] * 5 if name == "python-calamine" else ["2026-11-30", "46356", "46356", "46356", "2026-11-30"]
    changed |= observed != known
sys.exit(1 if changed else 0)
PY
cat > probe.cjs <<'JS'
const ExcelJS = require('exceljs');

(async () => {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(process.argv[2]);
  const cells = book.worksheets[0].getColumn(1).values.slice(1);
  const observed = cells.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : `${cell}`)).join(' ');
  console.log(`exceljs ${process.argv[3]}: expected 2026-11-30 five times, observed ${observed}`);
  process.exit(observed === '2026-11-30 46356 46356 46356 2026-11-30' ? 0 : 1);
})();
JS
python3 make.py dates.xlsx
status=0
venv/bin/python probe.py dates.xlsx || status=1
node probe.cjs dates.xlsx "$exceljs" || status=1
exit "$status"
