#!/usr/bin/env bash
# ical.js 2.2.1: a yearly rule for several months moves a day that one of them lacks into the next month.
# RFC 5545, 3.3.10, says that such a date is ignored. Guess: from 31 January, `BYMONTH=3,9` happens each 31 March and never in September.
# Seen: each year it also happens on 1 October.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ical.js@2.2.1
cat > run.mjs <<'CODE'
import ICAL from 'ical.js'
const start = ICAL.Time.fromDateTimeString('2026-01-31T10:00:00')
const dates = ICAL.Recur.fromString('FREQ=YEARLY;BYMONTH=3,9').iterator(start)
for (let times = 0; times < 4; times++) console.log(dates.next().toString())
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
2026-03-31T10:00:00
2026-10-01T10:00:00
2027-03-31T10:00:00
2027-10-01T10:00:00
SEEN
echo 'As described.'
