#!/usr/bin/env bash
# timezones-ical-library 2.3.2, read with ical.js 2.2.1: the VTIMEZONE of zones whose rules have changed.
# Guess: a VTIMEZONE of a current package has the right offset for a meeting in January 2026 (RFC 5545, section 3.6.5).
# Seen: it has the rules of today, from 1970 on. Vancouver and Edmonton gave up winter time during 2026, so meetings of last January
# are an hour early; the same holds for each zone that changed before. Node 24.21.0 has the history.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 timezones-ical-library@2.3.2 ical.js@2.2.1
cat > run.mjs <<'CODE'
import ICAL from 'ical.js'
import { tzlib_get_ical_block } from 'timezones-ical-library'

function inLibrary(zone, wallTime) {
  const [text] = tzlib_get_ical_block(zone)
  const calendar = new ICAL.Component(ICAL.parse(`BEGIN:VCALENDAR\r\n${text.trim()}\r\nEND:VCALENDAR`))
  const time = ICAL.Time.fromDateTimeString(wallTime)
  time.zone = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone'))
  return time.utcOffset() / 3600
}
function inRuntime(zone, wallTime) {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(Date.parse(`${wallTime}Z`))
  return Number(parts.find(({ type }) => type === 'timeZoneName').value.slice(3))
}
for (const [zone, day] of [
  ['America/Vancouver', '2026-01-15'],
  ['America/Edmonton', '2026-01-15'],
  ['Africa/Casablanca', '2026-07-15'],
  ['Asia/Almaty', '2024-01-15'],
  ['America/Mexico_City', '2022-07-15'],
  ['Europe/Berlin', '2026-07-15'],
])
  console.log(zone, day, 'library', inLibrary(zone, `${day}T12:00:00`), 'runtime', inRuntime(zone, `${day}T12:00:00`))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
America/Vancouver 2026-01-15 library -7 runtime -8
America/Edmonton 2026-01-15 library -6 runtime -7
Africa/Casablanca 2026-07-15 library 0 runtime 1
Asia/Almaty 2024-01-15 library 5 runtime 6
America/Mexico_City 2022-07-15 library -6 runtime -5
Europe/Berlin 2026-07-15 library 2 runtime 2
SEEN
echo 'As described.'
