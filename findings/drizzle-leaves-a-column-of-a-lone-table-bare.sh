#!/usr/bin/env bash
# drizzle-orm 0.45.4 (SQLite): `${table.column}` in `sql` is qualified in a select with a join and bare in one without.
# Guess: it is always "table"."column". Seen: in a select of one table it is "column", so that a correlated subquery over a table
# with a column of that name compares the column with itself, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit node@24.21.0 drizzle-orm@0.45.4
cat > run.mjs <<'CODE'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

const teams = sqliteTable('teams', { id: text('id') })
const members = sqliteTable('members', { id: text('id'), team: text('team') })
const db = drizzle({})
const count = sql`(SELECT count(*) FROM members WHERE team = ${teams.id})`
console.log(db.select({ count }).from(teams).toSQL().sql)
console.log(db.select({ count }).from(teams).innerJoin(members, eq(members.team, teams.id)).toSQL().sql)
CODE
node_modules/.bin/node run.mjs > seen.txt
diff --unified - seen.txt <<'SEEN'
select (SELECT count(*) FROM members WHERE team = "id") from "teams"
select (SELECT count(*) FROM members WHERE team = "teams"."id") from "teams" inner join "members" on "members"."team" = "teams"."id"
SEEN
echo 'As described.'
