import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const CLIENT = join(ROOT, 'test/typed-client')

/** The program of a package, as the typed client has it: the generator wants another TypeScript than ours. */
function program(from: string, name: string, bin: string): string {
  const { resolve: find } = createRequire(join(from, 'package.json'))
  return join(dirname(find(`${name}/package.json`)), bin)
}

type Told = { readonly stdout: string; readonly stderr: string; readonly code?: number }

async function run(file: string, ...args: string[]): Promise<Told> {
  const env = { ...process.env, NO_COLOR: '1' }
  return promisify(execFile)(process.execPath, [file, ...args], { cwd: ROOT, env }).catch(
    (failure) => failure,
  )
}

it('generates types without a warning; a client of the main path compiles against them, and they find its mistakes', async () => {
  const [document, types] = ['dist/typed-client/openapi.json', 'dist/typed-client/schema.ts']
  await run('src/local/dump-openapi.ts', document)
  const made = await run(program(CLIENT, 'openapi-typescript', 'bin/cli.js'), document, '--output', types)
  expect([
    made.code ?? 0,
    made.stderr,
    made.stdout
      .replace(/\[\d.]+m?s\]/, '')
      .trim()
      .split('\n'),
  ]).toEqual([0, '', [expect.stringMatching(/^✨ openapi-typescript /), expect.stringContaining('🚀')]])
  const compiled = await run(program(ROOT, 'typescript', 'bin/tsc'), '--project', CLIENT)
  expect([compiled.code ?? 0, compiled.stdout]).toEqual([0, ''])
})
