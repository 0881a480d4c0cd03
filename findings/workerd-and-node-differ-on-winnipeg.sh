#!/usr/bin/env bash
# workerd of 2 November 2026 (miniflare 5.20261102.0-beta) beside Node 24.21.0: the zones that changed in 2026.
# Guess: what a test in Node says of a zone holds in a Worker of the same month, too.
# Seen: workerd has Manitoba and the Northwest Territories without winter time (2026d and 2026e of the IANA database), Node has
# 2026c: an hour apart from November on. Neither has 2026f, in which Havana keeps UTC-4 in the winter of 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 miniflare@5.20261102.0-beta
cat > run.mjs <<'CODE'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const offsets = `
const offset = (timeZone, day) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
  .formatToParts(Date.parse(day)).find(({ type }) => type === 'timeZoneName').value
const all = ['America/Vancouver', 'America/Winnipeg', 'America/Inuvik', 'America/Havana']
  .map((zone) => zone + ' ' + ['2026-01-15', '2026-12-15'].map((day) => offset(zone, day)).join(' '))`
const script = `${offsets}; export default { fetch: () => Response.json(all) }`
const runtime = new Miniflare(convertV4MiniflareOptions({ modules: true, compatibilityDate: '2026-11-01', script }))
const there = await (await runtime.dispatchFetch('http://localhost/')).json()
await runtime.dispose()
const here = new Function(`${offsets}; return all`)()
here.forEach((line, at) => console.log('node', line, '| workerd', there[at]))
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
node America/Vancouver GMT-8 GMT-7 | workerd America/Vancouver GMT-8 GMT-7
node America/Winnipeg GMT-6 GMT-6 | workerd America/Winnipeg GMT-6 GMT-5
node America/Inuvik GMT-7 GMT-7 | workerd America/Inuvik GMT-7 GMT-6
node America/Havana GMT-5 GMT-5 | workerd America/Havana GMT-5 GMT-5
SEEN
echo 'As described.'
