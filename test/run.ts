import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * End-to-end tests wait for pages and processes half of their time, and the others hardly ever, so the two halves run side by
 * side. In one run of vitest one would follow the other: it keeps a runtime only from a file to the next of the same project.
 */
const HALVES = [
  ['--project', 'local', '--project', 'workers'],
  ['--project', 'e2e'],
]

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/** What the first half says is told at once, what the other says when it is over, so that their lines do not mix. */
async function passes(args: readonly string[], index: number): Promise<boolean> {
  const out = index === 0 ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, [VITEST, 'run', ...args], { stdio: ['ignore', out, out] })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => said.push(part))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  process.stdout.write(Buffer.concat(said))
  return code === 0
}

const halves = await Promise.all(HALVES.map(passes))
process.exitCode = halves.every(Boolean) ? 0 : 1
