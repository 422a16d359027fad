#!/usr/bin/env bash
# parse-prometheus-text-format (npm) reads what servers tell Prometheus into objects, which are to be those of prom2json.
#
# Expected: of a histogram with a label (which model, which route) there is one for each value of the label, with its
# count and sum, as its page shows for summaries.
# Observed: there is one, without the label; its buckets are those that came last, its count and sum are left out. The
# numbers of all other values are gone. Counters, and the Python client's parser (prometheus-client, PyPI), keep all.
set -euo pipefail

version=1.1.1
reference=0.26.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --no-compile --disable-pip-version-check "prometheus-client==$reference"
npm install --silent --no-audit --no-fund "parse-prometheus-text-format@$version" >&2

cat > metrics.txt <<'TXT'
# TYPE answers_total counter
answers_total{model="small"} 40
answers_total{model="large"} 2
# TYPE answer_seconds histogram
answer_seconds_bucket{model="small",le="1"} 30
answer_seconds_bucket{model="small",le="+Inf"} 40
answer_seconds_sum{model="small"} 35.5
answer_seconds_count{model="small"} 40
answer_seconds_bucket{model="large",le="1"} 0
answer_seconds_bucket{model="large",le="+Inf"} 2
answer_seconds_sum{model="large"} 9.5
answer_seconds_count{model="large"} 2
TXT
cat > probe.py <<'PY'
from prometheus_client.parser import text_string_to_metric_families

with open("metrics.txt", encoding="utf-8") as file:
    families = {family.name: family for family in text_string_to_metric_families(file.read())}
counts = {
    sample.labels["model"]: sample.value
    for sample in families["answer_seconds"].samples
    if sample.name == "answer_seconds_count"
}
print("expected the histograms", counts)
PY
cat > probe.mjs <<'JS'
import { readFileSync } from 'node:fs';
import parser from 'parse-prometheus-text-format';

const [counter, histogram] = (parser.default ?? parser)(readFileSync('metrics.txt', 'utf8'));
console.log(`the counter, a control: ${JSON.stringify(counter.metrics)}`);
console.log(`observed the histogram ${JSON.stringify(histogram.metrics)}`);
const same = JSON.stringify(histogram.metrics) === '[{"buckets":{"1":"0","+Inf":"2"}}]' && counter.metrics.length === 2;
process.exit(same ? 0 : 1);
JS
echo "parse-prometheus-text-format $version beside prometheus-client $reference, node $(node --version)"
venv/bin/python probe.py
node probe.mjs
