#!/usr/bin/env bash
# ical.js 2.2.1: BYSETPOS of a weekly rule is ignored.
# RFC 5545, 3.3.10, takes BYSETPOS from the set of each repetition, whatever its frequency, as the rrule package does.
# Guess: `FREQ=WEEKLY;BYDAY=SA,SU;BYSETPOS=-1` happens on Sundays. Seen: on Saturdays, too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ical.js@2.2.1 rrule@2.8.1
cat > run.mjs <<'CODE'
import ICAL from 'ical.js'
import rrule from 'rrule'
const rule = 'FREQ=WEEKLY;BYDAY=SA,SU;BYSETPOS=-1;COUNT=3'
const dates = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString('2026-02-01T10:00:00'))
console.log('ical.js', [1, 2, 3].map(() => dates.next().toString().slice(0, 10)).join(' '))
const others = rrule.rrulestr(`DTSTART:20260201T100000Z\nRRULE:${rule}`).all()
console.log('rrule', others.map((date) => date.toISOString().slice(0, 10)).join(' '))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
ical.js 2026-02-01 2026-02-07 2026-02-08
rrule 2026-02-01 2026-02-08 2026-02-15
SEEN
echo 'As described.'
