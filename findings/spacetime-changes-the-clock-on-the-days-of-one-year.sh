#!/usr/bin/env bash
# spacetime 7.15.0: the days on which the clock changes, in 2026 and in the three years after it.
# Guess: each year has its own last Sunday of March, second Sunday of March and so on, at least each year after the release.
# Seen: every year changes on the dates of 2026. In October 2027 Berlin is an hour off for six days, and New York in March 2027. A
# wall time that a change skips becomes one an hour earlier, and a repeated one is the second.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 spacetime@7.15.0
cat > run.mjs <<'CODE'
import spacetime from 'spacetime'

const runtime = (zone, at) => new Date(at).toLocaleString('sv', { timeZone: zone }).slice(11, 16)
for (const [zone, from] of [['Europe/Berlin', '03-20'], ['Europe/Berlin', '10-20'], ['America/New_York', '03-01']])
  for (const year of [2026, 2027, 2028, 2029]) {
    const days = Array.from({ length: 20 }, (_, day) => Date.parse(`${year}-${from}T12:00:00Z`) + day * 86_400_000)
    const wrong = days.filter((at) => spacetime(at).goto(zone).format('{hour-24-pad}:{minute-pad}') !== runtime(zone, at))
    console.log(zone, year, 'days off:', wrong.length)
  }
const meeting = spacetime('2027-10-27T09:00:00', 'Europe/Berlin')
console.log('09:00 on 27 October 2027 in Berlin:', new Date(meeting.epoch).toISOString())
for (const text of ['2026-03-29T02:30:00', '2026-10-25T02:30:00']) console.log(text, spacetime(text, 'Europe/Berlin').format('iso'))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
Europe/Berlin 2026 days off: 0
Europe/Berlin 2027 days off: 1
Europe/Berlin 2028 days off: 3
Europe/Berlin 2029 days off: 4
Europe/Berlin 2026 days off: 0
Europe/Berlin 2027 days off: 6
Europe/Berlin 2028 days off: 4
Europe/Berlin 2029 days off: 3
America/New_York 2026 days off: 0
America/New_York 2027 days off: 6
America/New_York 2028 days off: 4
America/New_York 2029 days off: 3
09:00 on 27 October 2027 in Berlin: 2027-10-27T08:00:00.000Z
2026-03-29T02:30:00 2026-03-29T01:30:00.000+01:00
2026-10-25T02:30:00 2026-10-25T02:30:00.000+01:00
SEEN
echo 'As described.'
