import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const CLIENT = join(ROOT, 'client')
const DOCUMENT = join(ROOT, 'dist/client/openapi.json')

/** The program of a package as `from` has it: the generator wants another TypeScript than ours. */
function program(from: string, name: string, bin: string): string {
  const { resolve: find } = createRequire(join(from, 'package.json'))
  return join(dirname(find(`${name}/package.json`)), bin)
}

function run(file: string, ...args: string[]): void {
  execFileSync(process.execPath, [file, ...args], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}

// The types come from the document each time, so what the client promises and the service does not fails here.
run(join(ROOT, 'src/local/dump-openapi.ts'), DOCUMENT)
const generator = program(join(ROOT, 'test/typed-client'), 'openapi-typescript', 'bin/cli.js')
run(generator, DOCUMENT, '--output', join(CLIENT, 'src/schema.ts'))
rmSync(join(CLIENT, 'dist'), { recursive: true, force: true })
const compiler = program(ROOT, 'typescript', 'bin/tsc')
for (const settings of ['tsconfig.json', 'tsconfig.commonjs.json']) {
  execFileSync(process.execPath, [compiler, '--project', join(CLIENT, settings)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
}
writeFileSync(join(CLIENT, 'dist/commonjs/package.json'), '{ "type": "commonjs" }\n')
