#!/usr/bin/env bash
# @modelcontextprotocol/server-memory (npm) is the memory that the protocol's own servers come with. Its tool `search_nodes`
# takes a query: "Search for nodes in the knowledge graph based on a query".
#
# Expected: a query of two words finds what holds both of them, in whatever order.
# Observed: the whole query has to stand in one field letter by letter. "Hanako birthday", "Sato Hanako" and two spaces
# between the words find nothing, and nothing says so; each word alone finds her.
set -euo pipefail

version=2026.8.31
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "@modelcontextprotocol/server-memory@$version" >&2

cat > probe.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const transport = new StdioClientTransport({
  command: 'node',
  args: ['node_modules/@modelcontextprotocol/server-memory/dist/index.js'],
  env: { ...process.env, MEMORY_FILE_PATH: `${process.cwd()}/memory.jsonl` },
  stderr: 'ignore',
});
const client = new Client({ name: 'probe', version: '1' });
await client.connect(transport);
const call = async (name, args) => JSON.parse((await client.callTool({ name, arguments: args })).content[0].text);
await call('create_entities', { entities: [
  { name: 'Hanako Sato', entityType: 'person', observations: ['birthday is on 5 November', 'likes green tea'] },
] });
let changed = 0;
for (const [query, known] of [
  ['Hanako birthday', 0], ['Sato Hanako', 0], ['tea November', 0], ['hanako  sato', 0],
  // Controls.
  ['birthday', 1], ['hanako sato', 1], ['green tea', 1],
]) {
  const observed = (await call('search_nodes', { query })).entities.length;
  console.log(`${JSON.stringify(query)}: expected 1, observed ${observed}`);
  if (observed !== known) changed += 1;
}
await client.close();
process.exit(changed ? 1 : 0);
JS
echo "@modelcontextprotocol/server-memory $version, node $(node --version)"
node probe.mjs
