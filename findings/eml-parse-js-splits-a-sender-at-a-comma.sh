#!/usr/bin/env bash
# eml-parse-js 1.1.15: the name of a sender that contains a comma.
# Guess: a comma in a quoted name or in an encoded word separates nothing (RFC 5322, section 3.2.4, and RFC 2047, section 6.2).
# Seen: the quoted name is kept. The encoded one is decoded first and then split: two senders, the first without an address.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 eml-parse-js@1.1.15
cat > run.mjs <<'CODE'
import { readEml } from 'eml-parse-js'

const names = { quoted: '"Studio, Berlin"', encoded: `=?utf-8?B?${Buffer.from('Büro, Berlin').toString('base64')}?=` }
for (const [how, name] of Object.entries(names)) {
  const email = [`From: ${name} <ada@example.com>`, 'MIME-Version: 1.0', 'Content-Type: text/plain', '', 'Text', ''].join('\r\n')
  readEml(email, (error, { from }) => console.log(how, JSON.stringify(from)))
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
quoted {"name":"Studio, Berlin","email":"ada@example.com"}
encoded [{"name":"Büro","email":""},{"name":"Berlin","email":"ada@example.com"}]
SEEN
echo 'As described.'
