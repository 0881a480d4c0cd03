#!/usr/bin/env bash
# Drizzle 0.45.4 for SQLite: a query that is built in parts with `$dynamic()`, an offset without a limit, and a union of limited
# queries.
# Guess: conditions that are added one after the other must all hold, as with knex and Rails. An offset alone gets `limit -1`, and
# limited parts of a union become subqueries, because SQLite demands both.
# Seen: the second `where` replaces the first without an error, also of an update, so a filter by tenant is lost; `orderBy` too.
# The other two write SQL that SQLite does not take.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 drizzle-orm@0.45.4
cat > run.mjs <<'CODE'
import { DatabaseSync } from 'node:sqlite'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
const things = sqliteTable('things', { id: text().primaryKey(), tenant: text(), size: integer() })
const database = drizzle(async () => ({ rows: [] }))
const sqlite = new DatabaseSync(':memory:')
sqlite.exec('CREATE TABLE things (id TEXT PRIMARY KEY, tenant TEXT, size INTEGER)')
const some = () => database.select({ id: things.id }).from(things)
const queries = {
  'two where': some().$dynamic().where(eq(things.tenant, 'a')).where(eq(things.size, 1)),
  update: database.update(things).set({ size: 2 }).$dynamic().where(eq(things.tenant, 'a')).where(eq(things.size, 1)),
  'two orderBy': some().$dynamic().orderBy(things.tenant).orderBy(things.id),
  offset: some().offset(5),
  union: some().limit(1).union(some().limit(2)),
}
for (const [name, query] of Object.entries(queries)) {
  const { sql } = query.toSQL()
  console.log(`${name}: ${sql}`)
  try {
    sqlite.prepare(sql)
  } catch (error) {
    console.log(error.message)
  }
}
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
two where: select "id" from "things" where "things"."size" = ?
update: update "things" set "size" = ? where "things"."size" = ?
two orderBy: select "id" from "things" order by "things"."id"
offset: select "id" from "things" offset ?
near "?": syntax error
union: select "id" from "things" limit ? union select "id" from "things" limit ?
LIMIT clause should come after UNION not before
SEEN
echo 'As described.'
