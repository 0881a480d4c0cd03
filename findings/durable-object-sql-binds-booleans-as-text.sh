#!/usr/bin/env bash
# workerd by miniflare 5.20261102.0-beta: D1 and the SQL of a Durable Object bind a boolean differently.
# Guess: both bind true as 1, for both are SQLite in one runtime. Seen: D1 binds 1, the object binds the text "true", so
# `WHERE is_open = ?` finds nothing there and nothing says why.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 miniflare@5.20261102.0-beta
cat > run.mjs <<'CODE'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const script = `
import { DurableObject } from 'cloudflare:workers'
export class Thing extends DurableObject {
  ask() {
    return this.ctx.storage.sql.exec('SELECT ? AS value, typeof(?) AS type', true, true).one()
  }
}
export default {
  async fetch(_, { DB, THINGS }) {
    const database = await DB.prepare('SELECT ? AS value, typeof(?) AS type').bind(true, true).first()
    const object = await THINGS.get(THINGS.idFromName('x')).ask()
    return Response.json({ database, object })
  },
}`
const runtime = new Miniflare(
  convertV4MiniflareOptions({
    modules: true,
    compatibilityDate: '2026-11-01',
    d1Databases: ['DB'],
    durableObjects: { THINGS: { className: 'Thing', useSQLite: true } },
    script,
  }),
)
console.log(await (await runtime.dispatchFetch('http://localhost/')).text())
await runtime.dispose()
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
{"database":{"value":1,"type":"real"},"object":{"value":"true","type":"text"}}
SEEN
echo 'As described.'
