#!/usr/bin/env bash
# ics 3.12.0: a duration of whole days ends in "T".
# Guess: `{ days: 2 }` is P2D. Seen: it is P2DT, which RFC 5545 (3.3.6) does not allow: T must be followed by a time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 ics@3.12.0
cat > run.mjs <<'CODE'
import { createEvent } from 'ics'
const { error, value } = createEvent({ title: 'Two days', start: [2027, 3, 1, 9, 0], duration: { days: 2 } })
console.log(error, value.match(/DURATION.*/)[0].trim())
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
null DURATION:P2DT
SEEN
echo 'As described.'
