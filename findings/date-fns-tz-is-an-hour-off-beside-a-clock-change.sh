#!/usr/bin/env bash
# date-fns-tz 3.2.0: the offset of each half-hour of 2026, and the wall times that a clock change repeats or skips.
# Guess: `getTimezoneOffset` of an instant is the offset of that instant, a repeated time is the first, and a skipped one an hour later.
# Seen: the offset is an hour off for 9 hours in New York and for 20 in Sydney. A repeated time is the first in New York and the second in
# Berlin, and a skipped one is an hour earlier.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 date-fns@4.4.0 date-fns-tz@3.2.0
cat > run.mjs <<'CODE'
import { fromZonedTime, getTimezoneOffset } from 'date-fns-tz'

const HALF_HOUR = 1_800_000
const wallTime = (zone, at) => new Date(at).toLocaleString('sv', { timeZone: zone }).replace(' ', 'T')
for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Sydney']) {
  const wrong = []
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += HALF_HOUR)
    if (getTimezoneOffset(zone, new Date(at)) !== Date.parse(`${wallTime(zone, at)}Z`) - at) wrong.push(new Date(at).toISOString().slice(5, 16))
  console.log(zone, 'hours off:', wrong.length / 2, 'from', wrong[0], 'to', wrong.at(-1))
}
for (const [name, zone, text] of [
  ['repeated', 'Europe/Berlin', '2026-10-25T02:30:00'],
  ['repeated', 'America/New_York', '2026-11-01T01:30:00'],
  ['skipped', 'Europe/Berlin', '2026-03-29T02:30:00'],
  ['skipped', 'America/New_York', '2026-03-08T02:30:00'],
])
  console.log(name, zone, text, fromZonedTime(text, zone).toISOString())
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
Europe/Berlin hours off: 2 from 03-29T01:00 to 10-25T01:30
America/New_York hours off: 9 from 03-08T02:00 to 11-01T05:30
Australia/Sydney hours off: 20 from 04-04T16:00 to 10-04T01:30
repeated Europe/Berlin 2026-10-25T02:30:00 2026-10-25T01:30:00.000Z
repeated America/New_York 2026-11-01T01:30:00 2026-11-01T05:30:00.000Z
skipped Europe/Berlin 2026-03-29T02:30:00 2026-03-29T00:30:00.000Z
skipped America/New_York 2026-03-08T02:30:00 2026-03-08T06:30:00.000Z
SEEN
echo 'As described.'
