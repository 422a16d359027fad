#!/usr/bin/env bash
# chat (npm, the Chat SDK) posts one Markdown to many platforms; @chat-adapter/discord and @chat-adapter/gchat turn it into
# what Discord and Google Chat take.
#
# Expected: what a platform cannot show is still there as text: whether a task is done, where a picture is, which lines are
# quoted, as the adapter for Slack leaves it.
# Observed: done and open tasks look alike, a picture is gone together with its description and its address, and of a
# quotation the first line is quoted.
set -euo pipefail

version=4.41.0
slack=4.41.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "chat@$version" "@chat-adapter/discord@$version" "@chat-adapter/gchat@$version" \
    "@chat-adapter/slack@$slack" >&2

cat > probe.mjs <<'JS'
import { DiscordFormatConverter } from '@chat-adapter/discord';
import { GoogleChatFormatConverter } from '@chat-adapter/gchat';
import { SlackFormatConverter } from '@chat-adapter/slack';

const discord = new DiscordFormatConverter();
const google = new GoogleChatFormatConverter();
const slack = new SlackFormatConverter();
// The Markdown, what should be found in the message, and what was sent when this was written.
const cases = [
  ['- [x] book a room\n- [ ] invite Hanako', '[x]', '- book a room\n- invite Hanako', '• book a room\n• invite Hanako'],
  ['The way there: ![map](https://example.com/map.png)', 'https://example.com/map.png',
    'The way there: ', 'The way there: '],
  ['> It is cancelled.\n> Tell nobody.\n\nShe wrote that.', '> Tell nobody.',
    '> It is cancelled.\nTell nobody.\n\nShe wrote that.', '> It is cancelled.\nTell nobody.\n\nShe wrote that.'],
  // A control.
  ['5. press the button\n6. turn the key', '6. turn the key',
    '5. press the button\n6. turn the key', '5. press the button\n6. turn the key'],
];
let changed = 0;
for (const [markdown, expected, toDiscord, toGoogle] of cases) {
  const sent = [discord, google].map((converter) => converter.renderPostable({ markdown }));
  console.log(`${JSON.stringify(markdown)}: expected to hold ${JSON.stringify(expected)}`);
  console.log(`  to Discord ${JSON.stringify(sent[0])}\n  to Google Chat ${JSON.stringify(sent[1])}`);
  if (sent[0] !== toDiscord || sent[1] !== toGoogle) changed += 1;
  if (!slack.toSlackPayload({ markdown }).markdown_text.includes(expected)) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "chat $version, node $(node --version)"
node probe.mjs
