#!/usr/bin/env bash
# @internationalized/date 3.12.4: set() on the second of two equal hours goes to the first one.
# Guess: setting the minutes keeps the offset, as Temporal's with() does. Seen: 01:30-05:00 with its minutes set to 45 becomes
# 01:45-04:00, which is 45 minutes earlier. add({ minutes: 15 }) stays in its hour.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @internationalized/date@3.12.4
cat > run.mjs <<'CODE'
import { parseZonedDateTime } from '@internationalized/date'
const second = parseZonedDateTime('2026-11-01T01:30-05:00[America/New_York]')
console.log('set', second.set({ minute: 45 }).toString())
console.log('add', second.add({ minutes: 15 }).toString())
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
set 2026-11-01T01:45:00-04:00[America/New_York]
add 2026-11-01T01:45:00-05:00[America/New_York]
SEEN
echo 'As described.'
