#!/usr/bin/env bash
# rrule-rust 3.1.1: an hourly series on the night on which summer time begins.
# Guess: the hour that is skipped in Berlin on 29 March 2026 is left out, or its start moves to 03:00 and counts as one occurrence.
# Seen: 03:00 is listed twice, the second time as the next hour, so `COUNT=5` gives four starts that differ. `between` does the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 rrule-rust@3.1.1
cat > run.mjs <<'CODE'
import { DateTime, RRuleSet } from 'rrule-rust'

const start = 'DTSTART;TZID=Europe/Berlin:20260329T000000\nRRULE:FREQ=HOURLY'
const all = RRuleSet.fromString(`${start};COUNT=5`).all()
console.log('all    ', ...all.map((each) => each.toString().slice(9, 13)))
const [from, to] = ['20260329T010000Z', '20260329T020000Z'].map((text) => DateTime.fromString(text))
console.log('between', ...RRuleSet.fromString(start).between(from, to, true).map((each) => each.toString().slice(9, 13)))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
all     0000 0100 0300 0300 0400
between 0300 0300 0400
SEEN
echo 'As described.'
