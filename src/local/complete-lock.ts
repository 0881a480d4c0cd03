import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { entryFor, type LockFile, missingPackages, unprovenPackages, withIntegrity } from './lock-file.ts'

const FILE = 'package-lock.json'

/** As the registry publishes it; throws where it has no such package. */
function publishedIntegrity(name: string, version: string): string {
  const integrity = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
    encoding: 'utf8',
  }).trim()
  if (!integrity.startsWith('sha512-')) throw new Error(`The registry has no checksum of ${name}@${version}.`)
  return integrity
}

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as LockFile
const missing = missingPackages(lock)
const added = Object.fromEntries(missing.map((each) => [each.path, entryFor(each)]))
const all = { ...lock.packages, ...added }
const unproven = unprovenPackages({ packages: all })
const proven = Object.fromEntries(
  unproven.map(({ path, name, version }) => [
    path,
    withIntegrity(all[path]!, publishedIntegrity(name, version)),
  ]),
)
const { '': project, ...others } = { ...all, ...proven }
const sorted = Object.entries(others).sort(([a], [b]) => a.localeCompare(b, 'en'))
const packages = { '': project, ...Object.fromEntries(sorted) }
writeFileSync(FILE, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
console.log(
  unproven.length === 0
    ? 'Nothing was missing.'
    : `Completed ${unproven.map(({ name }) => name).join(', ')}.`,
)
