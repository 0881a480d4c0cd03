#!/usr/bin/env bash
# qs 6.17.1, which Express and many clients use for queries: a list of more than 20 values.
# Guess: only indexes are limited (`ids[21]=x`), because such an index alone would make a long list. Repetition and empty brackets
# make a list of any length.
# Seen: all three make an object with the keys "0", "1" and so on beyond 20 values, so `Array.isArray` is false and no error says
# so. `arrayLimit` raises it for all three.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 qs@6.17.1
cat > run.mjs <<'CODE'
import qs from 'qs'
const forms = { repetition: () => 'ids', brackets: () => 'ids[]', indexes: (at) => `ids[${at}]` }
for (const [name, key] of Object.entries(forms)) {
  const lists = [20, 21, 22].map((count) => Array.from({ length: count }, (_, at) => `${key(at)}=${at}`).join('&'))
  const isList = (options) => lists.map((text) => Array.isArray(qs.parse(text, options).ids)).join(' ')
  console.log(`${name}: 20, 21 and 22 values are lists: ${isList()}, with arrayLimit 100: ${isList({ arrayLimit: 100 })}`)
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
repetition: 20, 21 and 22 values are lists: true false false, with arrayLimit 100: true true true
brackets: 20, 21 and 22 values are lists: true false false, with arrayLimit 100: true true true
indexes: 20, 21 and 22 values are lists: true false false, with arrayLimit 100: true true true
SEEN
echo 'As described.'
