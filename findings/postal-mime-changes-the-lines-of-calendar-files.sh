#!/usr/bin/env bash
# postal-mime 4.0.0: the octets of attached calendar files, and of files in quoted-printable.
# Guess: an attachment has the octets that its sender encoded (RFC 2045, section 6).
# Seen: `text/calendar` and `application/ics` lose the CR of each line, also in base64, although each line of a calendar ends with
# CRLF (RFC 5545, section 3.1). Other types in quoted-printable have one line feed more at their end.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 postal-mime@4.0.0
cat > run.mjs <<'CODE'
import PostalMime from 'postal-mime'

const BODIES = { base64: btoa('A\r\nB\r\n'), 'quoted-printable': 'A=0D=0AB=0D=0A' }
for (const type of ['text/calendar', 'application/ics', 'text/vcard', 'application/octet-stream'])
  for (const [encoding, body] of Object.entries(BODIES)) {
    const part = [`Content-Type: ${type}`, 'Content-Disposition: attachment; filename=file', `Content-Transfer-Encoding: ${encoding}`]
    const head = ['From: ada@example.com', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=next']
    const email = [...head, '', '--next', ...part, '', body, '--next--', ''].join('\r\n')
    const { attachments } = await PostalMime.parse(email)
    console.log(type, encoding, JSON.stringify(Buffer.from(attachments[0].content).toString()))
  }
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
text/calendar base64 "A\nB\n"
text/calendar quoted-printable "A\nB\n"
application/ics base64 "A\nB\n"
application/ics quoted-printable "A\nB\n"
text/vcard base64 "A\r\nB\r\n"
text/vcard quoted-printable "A\r\nB\r\n\n"
application/octet-stream base64 "A\r\nB\r\n"
application/octet-stream quoted-printable "A\r\nB\r\n\n"
SEEN
echo 'As described.'
