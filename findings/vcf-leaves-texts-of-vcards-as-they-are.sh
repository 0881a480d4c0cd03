#!/usr/bin/env bash
# vcf 2.1.2 and vcards-js 2.11.1: the texts and dates of a contact.
# Guess: vcf reads a text without the backslashes that vCard needs before commas and line breaks (RFC 6350, section 3.4), and
# writes them. vcards-js writes the date that it was given.
# Seen: vcf leaves the backslashes in what it reads and writes none, so a name with a comma does not survive. vcards-js writes the
# birthday by the clock of the process: west of UTC, 2 January in UTC is 1 January.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 vcf@2.1.2 vcards-js@2.11.1
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const VCard = require('vcf')
const card = ['BEGIN:VCARD', 'VERSION:4.0', 'FN:Ada Lovelace\\, PhD', 'NOTE:one\\ntwo', 'END:VCARD', ''].join('\r\n')
const read = new VCard().parse(card)
console.log('vcf reads', JSON.stringify([read.get('fn').valueOf(), read.get('note').valueOf()]))
const made = new VCard()
made.set('fn', 'Ada Lovelace, PhD')
console.log('vcf writes', made.toString('4.0').match(/^FN.*/m)[0])
const contact = require('vcards-js')()
contact.firstName = 'Ada'
contact.birthday = new Date('2000-01-02T00:00:00Z')
console.log('vcards-js', contact.getFormattedString().match(/^BDAY.*/m)[0])
CODE
TZ=America/New_York node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
vcf reads ["Ada Lovelace\\, PhD","one\\ntwo"]
vcf writes FN:Ada Lovelace, PhD
vcards-js BDAY:2000-01-01
SEEN
echo 'As described.'
