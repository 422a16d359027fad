#!/usr/bin/env bash
# officeparser (npm) reads the text of Office files for search and for language models.
#
# Expected: a name in an Excel file is its characters. Excel in Japanese keeps beside each typed word how it was typed
# (`rPh` in the shared strings) and does not show it.
# Observed: the reading is glued to the word: 東海林 is 東海林ショウジ. All dates are numbers. exceljs (npm) reads the name
# as it is shown, and the date as a date.
set -euo pipefail

version=7.8.0
reference=4.4.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "officeparser@$version" "exceljs@$reference" >&2

cat > make.py <<'PY'
"""Writes a file as Excel does: a name that was typed with its reading, and a day."""
import sys
import zipfile

main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
package = "http://schemas.openxmlformats.org/package/2006"
office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
name = '<si><t>東海林</t><rPh sb="0" eb="3"><t>ショウジ</t></rPh><phoneticPr fontId="0"/></si>'
xf = '<xf numFmtId="{}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'.format
parts = {
    "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/>'
    f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}.sharedStrings+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{kind}.styles+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
    f'<Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}">'
    '<sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
    f'<Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{office}/styles" Target="styles.xml"/>'
    f'<Relationship Id="r3" Type="{office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    "xl/sharedStrings.xml": f'<sst xmlns="{main}" count="1" uniqueCount="1">{name}</sst>',
    "xl/styles.xml": f'<styleSheet xmlns="{main}">'
    '<fonts count="1"><font><sz val="11"/><name val="Yu Gothic"/></font></fonts>'
    '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="2">{xf(0)}{xf(14)}</cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c>'
    '<c r="B1" s="1"><v>46356</v></c></row></sheetData></worksheet>',
}
with zipfile.ZipFile(sys.argv[1], "w") as file:
    for path, text in parts.items():
        file.writestr(path, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{text}')
PY
cat > probe.mjs <<'JS'
import ExcelJS from 'exceljs';
import { parseOffice } from 'officeparser';

const book = new ExcelJS.Workbook();
await book.xlsx.readFile('people.xlsx');
const [, name, day] = book.worksheets[0].getRow(1).values;
const expected = `${name} ${day.toISOString().slice(0, 10)}`;
const observed = (await parseOffice('people.xlsx')).toText().trim().split(/\s+/).join(' ');
console.log(`expected "${expected}", as exceljs reads it, observed "${observed}"`);
process.exit(expected === '東海林 2026-11-30' && observed === '東海林ショウジ 46356' ? 0 : 1);
JS
echo "officeparser $version beside exceljs $reference, node $(node --version)"
python3 make.py people.xlsx
node probe.mjs
