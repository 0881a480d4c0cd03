#!/usr/bin/env bash
# tz-lookup 6.1.25: the zone of a place by its coordinates.
# Guess: Ciudad Juárez has America/Ciudad_Juarez, which tzdata has had since 2022, and renamed zones have their new names.
# Seen: Ciudad Juárez is in America/Ojinaga, which is an hour ahead since 2022. Nuuk and Kyiv have the former names of their
# zones.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 tz-lookup@6.1.25
cat > run.mjs <<'CODE'
import { createRequire } from 'node:module'
const lookup = createRequire(import.meta.url)('tz-lookup')
const january = new Date('2026-01-15T12:00:00Z')
const show = (zone) => `${zone} ${january.toLocaleTimeString('sv', { timeZone: zone })}`
console.log('found', show(lookup(31.69, -106.42)), '| there', show('America/Ciudad_Juarez'))
console.log('Nuuk', lookup(64.18, -51.7), '| Kyiv', lookup(50.45, 30.52))
CODE
TZ=UTC node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
found America/Ojinaga 06:00:00 | there America/Ciudad_Juarez 05:00:00
Nuuk America/Godthab | Kyiv Europe/Kiev
SEEN
echo 'As described.'
