#!/usr/bin/env bash
# windows-iana 5.1.0: the zone that browsers name today has no Windows zone.
# Guess: Europe/Kyiv, the name since 2022, maps to FLE Standard Time as Europe/Kiev does. Seen: an empty list, also for zones
# made since (America/Ciudad_Juarez, Pacific/Kanton), while America/Nuuk and Asia/Ho_Chi_Minh are known by both of their names.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 windows-iana@5.1.0
cat > run.mjs <<'CODE'
import { findWindows } from 'windows-iana'
const zones = ['Europe/Kiev', 'Europe/Kyiv', 'America/Godthab', 'America/Nuuk', 'America/Ciudad_Juarez', 'Pacific/Kanton']
for (const zone of zones) console.log(zone, JSON.stringify(findWindows(zone)))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
Europe/Kiev ["FLE Standard Time"]
Europe/Kyiv []
America/Godthab ["Greenland Standard Time"]
America/Nuuk ["Greenland Standard Time"]
America/Ciudad_Juarez []
Pacific/Kanton []
SEEN
echo 'As described.'
