#!/usr/bin/env bash
# postal-mime (npm) reads mails, in browsers and in Cloudflare's email workers among others.
#
# Expected: lines of a mail that flows (format=flowed, RFC 3676, which Thunderbird and others send) are joined where
# they belong together, without the second one's mark of quotation; a quoted line and one that is not are never joined.
# Observed: the mark stays in the middle of the sentence, and a quoted line that ends with a space takes the answer
# below it into the quotation. mailparser (npm) reads the same mails as the RFC says.
set -euo pipefail

version=4.0.0
reference=3.14.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund "postal-mime@$version" "mailparser@$reference" >&2

cat > probe.mjs <<'JS'
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';

const flowed = (...lines) => [
  'From: Aya <aya@example.org>', 'Subject: Meeting', 'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8; format=flowed', '', ...lines,
].join('\r\n');

let changed = 0;
for (const [source, known, reference] of [
  // A control.
  [flowed('See you at the station, at the big ', 'clock.'),
    'See you at the station, at the big clock.', 'See you at the station, at the big clock.'],
  [flowed('> Shall we meet on Monday at nine in ', '> room 3?', 'Yes.'),
    '> Shall we meet on Monday at nine in > room 3?\nYes.', '> Shall we meet on Monday at nine in room 3?\nYes.'],
  [flowed('> Shall we meet on Monday? ', 'No, on Tuesday.'),
    '> Shall we meet on Monday? No, on Tuesday.', '> Shall we meet on Monday? \nNo, on Tuesday.'],
]) {
  const expected = (await simpleParser(source)).text.trim();
  const observed = (await new PostalMime().parse(source)).text.trim();
  console.log(`expected ${JSON.stringify(expected)}\nobserved ${JSON.stringify(observed)}`);
  if (observed !== known || expected !== reference) changed += 1;
}
process.exit(changed ? 1 : 0);
JS
echo "postal-mime $version beside mailparser $reference, node $(node --version)"
node probe.mjs
