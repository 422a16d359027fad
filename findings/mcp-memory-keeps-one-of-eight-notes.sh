#!/usr/bin/env bash
# @modelcontextprotocol/server-memory (npm) is the reference server for memory of the Model Context Protocol: it keeps
# what an agent wants to remember in a file.
#
# Expected: notes that are sent side by side, as models do that call several tools in one turn, are all kept, or the
# call whose note is not kept fails.
# Observed: each call is answered with the note that it wrote, and of eight one or two are in the memory afterwards. The
# server reads the file, adds to it and writes the whole back, without waiting for the call before. Sent one after the
# other, all eight are kept.
set -euo pipefail

server=2026.8.31
sdk=1.32.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "@modelcontextprotocol/server-memory@$server" \
    "@modelcontextprotocol/sdk@$sdk" >&2

cat > probe.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const names = Array.from({ length: 8 }, (_, index) => `note ${index + 1}`);

async function remember(file, send) {
  const client = new Client({ name: 'probe', version: '1.0.0' });
  await client.connect(new StdioClientTransport({
    command: process.execPath,
    args: ['node_modules/@modelcontextprotocol/server-memory/dist/index.js'],
    env: { ...process.env, MEMORY_FILE_PATH: `${process.cwd()}/${file}` },
    stderr: 'ignore',
  }));
  const call = (name, input) => client.callTool({ name, arguments: input });
  const create = (name) => call('create_entities', {
    entities: [{ name, entityType: 'note', observations: ['said today'] }],
  });
  const answers = await send(create);
  const { structuredContent: memory } = await call('read_graph', {});
  await client.close();
  const confirmed = answers.filter((answer) => !answer.isError && answer.structuredContent.entities.length === 1);
  return { confirmed: confirmed.length, kept: memory.entities.length };
}

const inTurn = await remember('in-turn.jsonl', async (create) => {
  const answers = [];
  for (const name of names) answers.push(await create(name));
  return answers;
});
console.log(`one after the other: ${inTurn.confirmed} confirmed, expected 8 in the memory, observed ${inTurn.kept}`);
const sideBySide = await remember('side-by-side.jsonl', (create) => Promise.all(names.map(create)));
console.log(`side by side: ${sideBySide.confirmed} confirmed, expected 8 in the memory, observed ${sideBySide.kept}`);
const same = inTurn.confirmed === 8 && inTurn.kept === 8 && sideBySide.confirmed === 8 && sideBySide.kept < 8;
process.exit(same ? 0 : 1);
JS
echo "server-memory $server, sdk $sdk, node $(node --version)"
node probe.mjs
