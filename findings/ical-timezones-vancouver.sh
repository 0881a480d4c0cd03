#!/usr/bin/env bash
# @touch4it/ical-timezones 1.9.0 beside the zone rules of Node 24.21.0: Vancouver has no winter time any more, its VTIMEZONE has.
# Guess: a current package and a current runtime agree on a large city. Seen: the runtime has -07:00 in December 2027, the
# package's VTIMEZONE goes to -08:00 in November, so the two differ by an hour in winter. America/Coyhaique, a zone since 2025, is null.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @touch4it/ical-timezones@1.9.0
cat > run.mjs <<'CODE'
import { getVtimezoneComponent } from '@touch4it/ical-timezones'
const offset = (zone) =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(Date.parse('2027-12-15T12:00:00Z'))
    .find(({ type }) => type === 'timeZoneName').value
console.log('runtime', offset('America/Vancouver'), offset('America/Coyhaique'))
const text = getVtimezoneComponent('America/Vancouver')
const standard = text.slice(text.indexOf('BEGIN:STANDARD')).replaceAll('\r', '')
console.log('package', /TZOFFSETTO:.*/.exec(standard)[0], /RRULE:.*/.exec(standard)[0])
console.log('package', getVtimezoneComponent('America/Coyhaique'))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
runtime GMT-07:00 GMT-03:00
package TZOFFSETTO:-0800 RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
package null
SEEN
echo 'As described.'
