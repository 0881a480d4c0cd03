#!/usr/bin/env bash
# node-ical 0.27.2: a time whose TZID is described by the VTIMEZONE of its file but is not a name that is known elsewhere.
# Guess: the rules in the file decide (RFC 5545, section 3.2.19), as they do for the name `Customized Time Zone`.
# Seen: the time is read as the clock of the process, so the same file has other instants on a server in UTC and on a desk in New
# York.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 node-ical@0.27.2
cat > run.mjs <<'CODE'
import nodeIcal from 'node-ical'
const file = (...lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//T//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines) => ['BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
const zone = (name) => [
  ...['BEGIN:VTIMEZONE', `TZID:${name}`],
  ...['BEGIN:DAYLIGHT', 'DTSTART:19700329T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT'],
  ...['BEGIN:STANDARD', 'DTSTART:19701025T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD'],
  'END:VTIMEZONE',
]
for (const name of ['Europe/Berlin', 'Customized Time Zone', 'Our office']) {
  const text = file(...zone(name), ...event(`DTSTART;TZID=${name}:20260701T090000`, `DTEND;TZID=${name}:20260701T100000`))
  const { start } = Object.values(nodeIcal.sync.parseICS(text)).find(({ type }) => type === 'VEVENT')
  console.log(`${name}: ${start.toISOString()}`)
}
CODE
for zone in UTC America/New_York; do
  echo "process in $zone"
  TZ=$zone node_modules/.bin/node run.mjs
done > seen.txt
diff --unified - seen.txt <<'SEEN'
process in UTC
Europe/Berlin: 2026-07-01T07:00:00.000Z
Customized Time Zone: 2026-07-01T07:00:00.000Z
Our office: 2026-07-01T09:00:00.000Z
process in America/New_York
Europe/Berlin: 2026-07-01T07:00:00.000Z
Customized Time Zone: 2026-07-01T07:00:00.000Z
Our office: 2026-07-01T13:00:00.000Z
SEEN
echo 'As described.'
