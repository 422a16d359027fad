#!/usr/bin/env bash
# @huggingface/jinja (npm) renders chat templates of models in JavaScript; Transformers renders the same templates with
# Jinja2 (PyPI).
#
# Expected: the same prompt from the same template.
# Observed: `lstrip('\n')` and `rstrip('\n')`, with which templates cut the blank lines around an answer, take no notice
# of what they are to cut and cut all white space: an answer that begins with indented code loses the indentation of its
# first line. `strip('*')` cuts no asterisk. True is "true", 1.0 is "1".
set -euo pipefail

version=0.5.11
reference=3.1.6
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-compile --disable-pip-version-check "jinja2==$reference"
npm install --silent --no-audit --no-fund "@huggingface/jinja@$version" >&2

cat > cases.json <<'JSON'
[
  ["{{ content.split('</think>')[-1].strip() }}", "return total"],
  ["{{ content.split('</think>')[-1].lstrip('\\n') }}", "return total"],
  ["{{ content.split('</think>')[0].rstrip('\\n') }}|", "thinking|"],
  ["{{ '**done**'.strip('*') }}", "**done**"],
  ["{{ strict }}, {{ temperature }}", "true, 1"]
]
JSON
cat > probe.py <<'PY'
import json

from jinja2.sandbox import ImmutableSandboxedEnvironment

values = {"content": "thinking  \n</think>\n\n    return total", "strict": True, "temperature": 1.0}
environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
with open("cases.json", encoding="utf-8") as file:
    cases = json.load(file)
with open("expected.json", "w", encoding="utf-8") as file:
    json.dump([environment.from_string(template).render(**values) for template, _ in cases], file)
PY
cat > probe.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Template } from '@huggingface/jinja';

const values = { content: 'thinking  \n</think>\n\n    return total', strict: true, temperature: 1.0 };
const expected = JSON.parse(readFileSync('expected.json'));
let changed = 0;
for (const [index, [template, known]] of JSON.parse(readFileSync('cases.json')).entries()) {
  const observed = new Template(template).render(values);
  console.log(`${template}: expected ${JSON.stringify(expected[index])}, observed ${JSON.stringify(observed)}`);
  if (observed !== known) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "@huggingface/jinja $version beside Jinja2 $reference, node $(node --version)"
venv/bin/python probe.py
node probe.mjs
