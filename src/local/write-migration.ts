import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const META = 'migrations/meta'

execFileSync('drizzle-kit', ['generate', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})

// The next migration is compared with the last snapshot only: earlier ones go, and a table is a line.
const snapshots = readdirSync(META)
  .filter((name) => name.endsWith('_snapshot.json'))
  .sort()
for (const name of snapshots.slice(0, -1)) rmSync(join(META, name))
const last = join(META, snapshots.at(-1)!)
const { tables, ...rest } = JSON.parse(readFileSync(last, 'utf8'))
const lines = Object.entries(tables).map(
  ([name, table]) => `${JSON.stringify(name)}: ${JSON.stringify(table)}`,
)
const others = Object.entries(rest).map(
  ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
)
writeFileSync(last, `{\n${[`"tables": {\n${lines.join(',\n')}\n}`, ...others].join(',\n')}\n}\n`)
