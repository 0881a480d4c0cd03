#!/usr/bin/env bash
# eml-format 0.6.1: a subject in several encoded words, as any longer one that is not ASCII has (RFC 2047, section 2).
# Guess: the words are decoded and joined. Seen: the subject is the first word, and the rest is lost without an error. The same
# holds for words on one line.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 eml-format@0.6.1
cat > run.cjs <<'CODE'
const { read } = require('eml-format')

const word = (text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
for (const [name, blank] of [['folded', '\r\n '], ['on one line', ' ']]) {
  const subject = [word('Größe der Gruppe: '), word('zwölf Gäste')].join(blank)
  const head = ['From: ada@example.com', `Subject: ${subject}`, 'MIME-Version: 1.0', 'Content-Type: text/plain']
  read([...head, '', 'Text', ''].join('\r\n'), (_, email) => console.log(name, JSON.stringify(email.subject)))
}
CODE
node_modules/.bin/node run.cjs > seen.txt
diff --unified - seen.txt <<'SEEN'
folded "Größe der Gruppe: "
on one line "Größe der Gruppe: "
SEEN
echo 'As described.'
