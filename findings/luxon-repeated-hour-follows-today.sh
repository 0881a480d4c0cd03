#!/usr/bin/env bash
# Luxon 3.7.2: a wall time that happens twice is read with the offset that the zone has today.
# 01:30 on 2026-11-01 in New York happens at -04:00 and again at -05:00. Guess: always the earlier one, as Temporal and RFC 5545 have it.
# Seen: the earlier one if the program runs in summer, the later one if it runs in winter. The same booking form gives two instants.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 luxon@3.7.2
cat > run.mjs <<'CODE'
import { DateTime, Settings } from 'luxon'
for (const today of ['2026-07-01', '2026-12-01']) {
  Settings.now = () => Date.parse(today)
  console.log(today, DateTime.fromISO('2026-11-01T01:30', { zone: 'America/New_York' }).toISO())
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
2026-07-01 2026-11-01T01:30:00.000-04:00
2026-12-01 2026-11-01T01:30:00.000-05:00
SEEN
echo 'As described.'
