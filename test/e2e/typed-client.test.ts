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

async function run(file: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: ROOT }).catch(
    (failure) => failure,
  )
  return stdout
}

it('gives types that a client of the main path compiles against, and that find its mistakes', async () => {
  const [document, types] = ['dist/typed-client/openapi.json', 'dist/typed-client/schema.ts']
  await run('src/local/dump-openapi.ts', document)
  await run(program(CLIENT, 'openapi-typescript', 'bin/cli.js'), document, '--output', types)
  expect(await run(program(ROOT, 'typescript', 'bin/tsc'), '--project', CLIENT)).toBe('')
})
