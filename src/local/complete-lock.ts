import { readFileSync, writeFileSync } from 'node:fs'
import { entryFor, type LockFile, missingPackages } from './lock-file.ts'

const FILE = 'package-lock.json'

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as LockFile
const missing = missingPackages(lock)
const added = Object.fromEntries(missing.map((each) => [each.path, entryFor(each)]))
const { '': project, ...others } = lock.packages
const sorted = Object.entries({ ...others, ...added }).sort(([a], [b]) => a.localeCompare(b, 'en'))
const packages = { '': project, ...Object.fromEntries(sorted) }
writeFileSync(FILE, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
console.log(
  missing.length === 0 ? 'Nothing was missing.' : `Added ${missing.map(({ name }) => name).join(', ')}.`,
)
