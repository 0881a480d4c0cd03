#!/usr/bin/env bash
# iso8601-duration 2.1.4: a duration with a minus, as a reminder before an event has it (`TRIGGER:-PT15M`), and the end of a
# month.
# Guess: `-PT15M` is -900 seconds or is refused, and a month after 31 January is the last day of February.
# Seen: it is 900 seconds, so a reminder before an event comes after its start. A month after 31 January is 3 March.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 iso8601-duration@2.1.4
cat > run.mjs <<'CODE'
import { end, parse, toSeconds } from 'iso8601-duration'
for (const text of ['PT15M', '-PT15M', '-P1D']) console.log(text, JSON.stringify(parse(text).minutes), toSeconds(parse(text)))
const start = new Date('2026-06-01T12:00:00Z')
console.log('before noon', end(parse('-PT15M'), start).toISOString())
console.log('after a month', end(parse('P1M'), new Date('2026-01-31T09:00:00Z')).toISOString())
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
PT15M 15 900
-PT15M 15 900
-P1D 0 86400
before noon 2026-06-01T12:15:00.000Z
after a month 2026-03-03T09:00:00.000Z
SEEN
echo 'As described.'
