import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

// What users of each package get: publint reads its files as bundlers and Node do, and arethetypeswrong its types as compilers do.

const ROOT = resolve(import.meta.dirname, '../..')
const PROGRAMS = join(import.meta.dirname, 'node_modules/.bin')
/** Packages of JavaScript without declarations have no types to be wrong. */
const PACKAGES = [
  { directory: 'client', hasTypes: true },
  { directory: 'race', hasTypes: false },
]

const directory = mkdtempSync(join(tmpdir(), 'packages-'))
try {
  for (const { directory: of, hasTypes } of PACKAGES) {
    const cwd = join(ROOT, of)
    execFileSync('npm', ['pack', '--pack-destination', directory], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const packed = join(directory, readdirSync(directory)[0]!)
    execFileSync(join(PROGRAMS, 'publint'), ['--strict', packed], { stdio: 'inherit' })
    if (hasTypes) execFileSync(join(PROGRAMS, 'attw'), [packed], { stdio: 'inherit' })
    rmSync(packed)
  }
} finally {
  rmSync(directory, { recursive: true })
}
