#!/usr/bin/env bash
# crontzconvert 1.1.1: an expression whose hours lie on two days in the other zone (Lagos has UTC+1 all year).
# Guess: it refuses what one expression cannot say, or returns two.
# Seen: the day of all hours moves if that of one does. Monday at 00:00 and 12:00 in Lagos becomes Sunday at 23:00 and Sunday at
# 11:00 in UTC, a day early; the first of a month at noon becomes the last of the month before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 crontzconvert@1.1.1
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'

const { convert } = createRequire(import.meta.url)('crontzconvert')
for (const text of ['0 0 12 * * 1', '0 0 0 * * 1', '0 0 0,12 * * 1', '0 0 0,12 1 * *', '0 0 0-23 * * 1'])
  console.log(`${text} in Lagos: ${convert(text, 'Africa/Lagos', 'UTC')} in UTC`)
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
0 0 12 * * 1 in Lagos: 0 0 11 * * 1 in UTC
0 0 0 * * 1 in Lagos: 0 0 23 * * 0 in UTC
0 0 0,12 * * 1 in Lagos: 0 0 11,23 * * 0 in UTC
0 0 0,12 1 * * in Lagos: 0 0 11,23 L * * in UTC
0 0 0-23 * * 1 in Lagos: 0 0 * * * 0 in UTC
SEEN
echo 'As described.'
