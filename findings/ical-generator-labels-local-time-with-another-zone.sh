#!/usr/bin/env bash
# ical-generator 11.1.2: a Date with a timezone is written with the clock of the process under the name of the zone.
# Guess: 15:00 UTC in an event of America/New_York becomes 11:00 there. Seen: under TZ=UTC it is written as 15:00 New York time,
# and under TZ=Asia/Tokyo as 00:00 of the next day, so the event moves by hours with the server. No VTIMEZONE is written.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ical-generator@11.1.2
cat > run.mjs <<'CODE'
import { execFileSync } from 'node:child_process'
import ical from 'ical-generator'
if (process.env.TZ === undefined) {
  for (const TZ of ['UTC', 'America/New_York', 'Asia/Tokyo'])
    process.stdout.write(execFileSync(process.execPath, [process.argv[1]], { env: { ...process.env, TZ } }))
} else {
  const calendar = ical({ name: 'x' })
  const start = new Date('2026-03-10T15:00:00Z')
  calendar.createEvent({ start, end: start, timezone: 'America/New_York', summary: 'Call' })
  const text = calendar.toString()
  console.log(process.env.TZ, /DTSTART.*/.exec(text)[0].trim(), text.includes('VTIMEZONE') ? 'with' : 'without', 'VTIMEZONE')
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
UTC DTSTART;TZID=America/New_York:20260310T150000 without VTIMEZONE
America/New_York DTSTART;TZID=America/New_York:20260310T110000 without VTIMEZONE
Asia/Tokyo DTSTART;TZID=America/New_York:20260311T000000 without VTIMEZONE
SEEN
echo 'As described.'
