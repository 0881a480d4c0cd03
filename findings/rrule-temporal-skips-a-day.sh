#!/usr/bin/env bash
# rrule-temporal 2.2.8: a daily time that a clock change skips is left out for that day.
# RFC 5545, 3.3.10, says two things about a start that does not exist: it is ignored and not counted, and it is read like an explicit
# time (3.3.5), with the offset before the gap. Guess: the second, so 02:30 on 2026-03-08 in New York becomes 03:30.
# Seen: the 8th is missing, and COUNT goes on to the next day, so the series also ends a day later than in programs that move it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 rrule-temporal@2.2.8
cat > run.mjs <<'CODE'
import { RRuleTemporal } from 'rrule-temporal'
const rruleString = 'DTSTART;TZID=America/New_York:20260306T023000\nRRULE:FREQ=DAILY;COUNT=4'
for (const each of new RRuleTemporal({ rruleString }).all()) console.log(each.toString())
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
2026-03-06T02:30:00-05:00[America/New_York]
2026-03-07T02:30:00-05:00[America/New_York]
2026-03-09T02:30:00-04:00[America/New_York]
2026-03-10T02:30:00-04:00[America/New_York]
SEEN
echo 'As described.'
