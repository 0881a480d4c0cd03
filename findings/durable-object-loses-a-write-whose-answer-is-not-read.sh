#!/usr/bin/env bash
# workerd by miniflare 5.20261102.0-beta: a statement with RETURNING in the SQL of a Durable Object whose rows are not read to the
# end.
# Guess: a write is done when `exec` returns, as the rows written are counted by then, and a cursor that is left is closed.
# Seen: if the cursor is not read, or a loop over two rows returns at the first, the call fails with `internal error` and nothing
# is written. `one`, `toArray` and reading the only row are fine, and so is a SELECT that is left.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 miniflare@5.20261102.0-beta
cat > run.mjs <<'CODE'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const script = `
import { DurableObject } from 'cloudflare:workers'
const insert = (rows) => 'INSERT INTO things VALUES ' + rows + ' RETURNING id'
export class Thing extends DurableObject {
  sql = this.ctx.storage.sql
  constructor(context, env) {
    super(context, env)
    this.sql.exec('CREATE TABLE IF NOT EXISTS things (id)')
  }
  notRead() {
    this.sql.exec(insert('(1)'))
  }
  firstOfTwo() {
    for (const { id } of this.sql.exec(insert('(1), (2)'))) return id
  }
  onlyRow() {
    return this.sql.exec(insert('(1)')).next().value.id
  }
  one() {
    return this.sql.exec(insert('(1)')).one().id
  }
  toArray() {
    return this.sql.exec(insert('(1), (2)')).toArray().length
  }
  selectLeft() {
    this.sql.exec('INSERT INTO things VALUES (1), (2)')
    return this.sql.exec('SELECT id FROM things').next().value.id
  }
  count() {
    return this.sql.exec('SELECT count(*) AS count FROM things').one().count
  }
}
export default {
  async fetch(_, { THINGS }) {
    const lines = []
    for (const name of ['notRead', 'firstOfTwo', 'onlyRow', 'one', 'toArray', 'selectLeft']) {
      const thing = () => THINGS.get(THINGS.idFromName(name))
      const said = await thing()[name]().then(() => 'fine', (error) => error.message.split(';')[0])
      lines.push(name + ': ' + said + ', rows: ' + (await thing().count()))
    }
    return new Response(lines.join('\\n'))
  },
}`
const runtime = new Miniflare(
  convertV4MiniflareOptions({
    modules: true,
    compatibilityDate: '2026-11-01',
    durableObjects: { THINGS: { className: 'Thing', useSQLite: true } },
    handleRuntimeStdio() {},
    script,
  }),
)
console.log(await (await runtime.dispatchFetch('http://localhost/')).text())
await runtime.dispose()
CODE
node_modules/.bin/node run.mjs 2> errors.txt > seen.txt
diff --unified - seen.txt <<'SEEN'
notRead: internal error, rows: 0
firstOfTwo: internal error, rows: 0
onlyRow: fine, rows: 1
one: fine, rows: 1
toArray: fine, rows: 2
selectLeft: fine, rows: 2
SEEN
echo 'As described.'
