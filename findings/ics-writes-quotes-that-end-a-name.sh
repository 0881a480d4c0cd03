#!/usr/bin/env bash
# ics 3.12.0: the name of an attendee who has a nickname in quotes, a category with a comma, and a title in Japanese.
# Guess: quotes in a parameter are replaced or written as RFC 6868 has them, a comma in a category is escaped, and lines have at
# most 75 octets (RFC 5545, section 3.1).
# Seen: each quote gets a backslash, which a parameter cannot have: the name that readers find is another one or none. The
# category becomes two. Lines are folded after 75 characters, and have up to three times as many octets.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ics@3.12.0 ical.js@2.2.1 node-ical@0.27.2
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
const { createEvent } = createRequire(import.meta.url)('ics')
const event = {
  ...{ uid: 'a', start: [2026, 7, 1, 9, 0], startInputType: 'utc', duration: { hours: 1 }, title: '予約'.repeat(50), categories: ['Tea, coffee', 'Cake'] },
  attendees: [{ name: 'Ada "Ace"; Lovelace', email: 'ada@example.org', role: 'REQ-PARTICIPANT' }],
}
const { value } = createEvent(event)
console.log(value.match(/^ATTENDEE.*/m)[0])
console.log(value.match(/^CATEGORIES.*/m)[0])
console.log('longest line', Math.max(...value.split('\r\n').map((line) => Buffer.byteLength(line))), 'octets')
const read = new ICAL.Component(ICAL.parse(value)).getFirstSubcomponent('vevent')
console.log('ical.js:', JSON.stringify(read.getFirstProperty('attendee').toJSON().slice(1)))
const { attendee } = Object.values(nodeIcal.sync.parseICS(value)).find(({ type }) => type === 'VEVENT')
console.log('node-ical:', JSON.stringify(attendee))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
ATTENDEE;ROLE="REQ-PARTICIPANT";CN="Ada \"Ace\"; Lovelace":mailto:ada@examp
CATEGORIES:Tea, coffee,Cake
longest line 209 octets
ical.js: [{"role":"REQ-PARTICIPANT","cn":"Ada \\"},"cal-address","mailto:ada@example.org"]
node-ical: undefined
SEEN
echo 'As described.'
