#!/usr/bin/env bash
# @vvo/tzdb 6.202.0 on Node 24.21.0: the entry of a zone that changed in 2026.
# Guess: the offsets of one entry come from one database, the package's ("always up to date").
# Seen: `rawOffsetInMinutes` and the abbreviation are the package's, `currentTimeOffsetInMinutes` is the runtime's, which is older.
# On 15 December 2026 Winnipeg is at -300 and at -360 in the same entry. Its text for pickers has -06:00.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 @vvo/tzdb@6.202.0
cat > run.cjs <<'CODE'
const now = Date.parse('2026-12-15T12:00:00Z')
globalThis.Date = class extends Date {
  constructor(...args) {
    super(...(args.length > 0 ? args : [now]))
  }
  static now() {
    return now
  }
}
const { getTimeZones } = require('@vvo/tzdb')
for (const wanted of ['America/Winnipeg', 'America/Havana', 'America/Toronto']) {
  const { name, rawOffsetInMinutes, abbreviation, currentTimeOffsetInMinutes, currentTimeFormat } = getTimeZones().find(({ name }) => name === wanted)
  console.log(name, rawOffsetInMinutes, abbreviation, '| current', currentTimeOffsetInMinutes, currentTimeFormat.slice(0, 20))
}
CODE
node_modules/.bin/node run.cjs > seen.txt
diff --unified - seen.txt <<'SEEN'
America/Winnipeg -300 EST | current -360 -06:00 Central Time 
America/Havana -240 CDT | current -300 -05:00 Cuba Time - H
America/Toronto -300 EST | current -300 -05:00 Eastern Time 
SEEN
echo 'As described.'
