import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { filesWithout } from './system/files-without.ts'

const leftOut = filesWithout()
const LEFT_OUT = leftOut.map(({ file }) => file).join(',')
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/** Runs the tests of these projects. What a silent run says is kept for the end, so that lines of two runs do not mix. */
async function run(projects: readonly string[], silent = false): Promise<{ passed: boolean; said: Buffer }> {
  const out = silent ? 'pipe' : 'inherit'
  const args = projects.flatMap((project) => ['--project', project])
  const child = spawn(process.execPath, [VITEST, 'run', ...args], {
    stdio: ['ignore', out, out],
    env: { ...process.env, LEFT_OUT },
  })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => said.push(part))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { passed: code === 0, said: Buffer.concat(said) }
}

/**
 * End-to-end tests wait for pages and processes half of their time, and the others hardly ever, so the two halves run side by
 * side. In one run of vitest one would follow the other: it keeps a runtime only from a file to the next of the same project.
 */
const begun = run(['e2e'], true)
const others = run(['local', 'workers'])
const endToEnd = await begun
// Tests that failed are told last, where they are looked for.
if (endToEnd.passed) process.stdout.write(endToEnd.said)
const { passed } = await others
if (!endToEnd.passed) process.stdout.write(endToEnd.said)
if (leftOut.length > 0) {
  console.log('\nLeft out, because this machine lacks what they use:')
  for (const { file, packages } of leftOut) console.log(`  ${file} (${packages.join(', ')})`)
  const names = [...new Set(leftOut.flatMap(({ packages }) => packages))]
  console.log(`On Debian: sudo apt-get install ${names.join(' ')}`)
  console.log('Elsewhere: install the programs of these names. CHROMIUM=/path/to/chromium names a browser.')
}
process.exitCode = passed && endToEnd.passed ? 0 : 1
