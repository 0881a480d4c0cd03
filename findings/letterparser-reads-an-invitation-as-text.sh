#!/usr/bin/env bash
# letterparser 0.1.8: the email of an invitation, with the calendar file as a third alternative beside text and HTML (RFC 6047).
# Guess: the text is the part of text/plain, and the calendar file is an attachment or is left out.
# Seen: the calendar file is appended to the text, so a reader shows BEGIN:VCALENDAR below the text. A quote in an encoded name is
# lost.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 letterparser@0.1.8
cat > run.mjs <<'CODE'
import { extract } from 'letterparser'
const part = (type, text) => ['--b', `Content-Type: ${type}`, '', text]
const name = Buffer.from('Praxis "Nord"').toString('base64')
const email = [
  `From: =?utf-8?B?${name}?= <desk@example.com>`,
  ...['To: ada@example.org', 'Subject: Invitation', 'MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b', ''],
  ...part('text/plain; charset=utf-8', 'See you on Monday.'),
  ...part('text/html; charset=utf-8', '<p>See you on Monday.</p>'),
  ...part('text/calendar; charset=utf-8; method=REQUEST', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'),
  ...['--b--', ''],
]
const { text, html, attachments, from } = extract(email.join('\r\n'))
console.log(JSON.stringify({ text, html, attachments, name: from.name }))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
{"text":"See you on Monday.\nBEGIN:VCALENDAR\nEND:VCALENDAR","html":"<p>See you on Monday.</p>","attachments":[],"name":"Praxis \"Nord"}
SEEN
echo 'As described.'
