#!/usr/bin/env bash
# rrule 2.8.1: `rrulestr` with the option `dtstart`, and a text that has an EXDATE, an RDATE or the option `forceset`.
# Guess: the series starts at `dtstart` in each case. Seen: beside any of the three it starts when the program runs, so that the
# occurrences are other ones each time, and an EXDATE excludes nothing. A DTSTART in the text is followed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 rrule@2.8.1
cat > run.mjs <<'CODE'
import rrule from 'rrule'

const dtstart = new Date('2026-07-06T09:00:00Z')
const rule = 'RRULE:FREQ=DAILY;COUNT=3'
const began = Date.now()
const show = (at) => (Math.abs(at - began) < 60_000 ? 'now' : at > began ? 'later' : at.toISOString().slice(0, 16))
for (const [name, text, options] of [
  ['rule', rule],
  ['EXDATE', `${rule}\nEXDATE:20260707T090000Z`],
  ['RDATE', `${rule}\nRDATE:20260717T090000Z`],
  ['forceset', rule, { forceset: true }],
  ['DTSTART and EXDATE', `DTSTART:20260706T090000Z\n${rule}\nEXDATE:20260707T090000Z`],
])
  console.log(`${name}:`, ...rrule.rrulestr(text, { dtstart, ...options }).all().map(show))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
rule: 2026-07-06T09:00 2026-07-07T09:00 2026-07-08T09:00
EXDATE: now later later
RDATE: 2026-07-17T09:00 now later later
forceset: now later later
DTSTART and EXDATE: 2026-07-06T09:00 2026-07-08T09:00
SEEN
echo 'As described.'
