#!/usr/bin/env bash
# vcard-parser 1.0.0 and vcard4-ts 0.4.1: a vCard with links and an organization, read, and written again by vcard-parser.
# Guess: links are URIs and stay as they are, and an organization is a list of its name and units (RFC 6350, section 6.6.4).
# Seen: vcard-parser writes the comma of each link as a semicolon, which makes it another address. vcard4-ts reads the organization and its
# units as one name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 vcard-parser@1.0.0 vcard4-ts@0.4.1
cat > run.mjs <<'CODE'
import vcard from 'vcard-parser'
import { parseVCards } from 'vcard4-ts'

const card = ['BEGIN:VCARD', 'VERSION:4.0', 'FN:Jane Doe', 'ORG:Example\\, Inc.;Sales;Europe', 'URL:https://example.org/a,b',
  'CALURI:https://example.org/cal?users=1,2', 'FBURL:https://example.org/free?users=1,2', 'END:VCARD', ''].join('\r\n')
const written = vcard.generate(vcard.parse(card)).split('\r\n')
for (const line of written.filter((line) => /URL|CALURI/.test(line))) console.log('vcard-parser:', line)
console.log('vcard4-ts:', JSON.stringify(parseVCards(card).vCards[0].ORG[0].value))
console.log('vcard-parser:', JSON.stringify(vcard.parse(card).org[0].value))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
vcard-parser: URL:https://example.org/a;b
vcard-parser: CALURI:https://example.org/cal?users=1;2
vcard-parser: FBURL:https://example.org/free?users=1;2
vcard4-ts: ["Example, Inc.;Sales;Europe"]
vcard-parser: ["Example, Inc.","Sales","Europe"]
SEEN
echo 'As described.'
