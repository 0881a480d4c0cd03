import { execFileSync } from 'node:child_process'
import { boundDatabases } from './databases.ts'

// One after the other: what fails leaves the previous Worker on databases that it can work with.
for (const binding of boundDatabases('wrangler.toml')) {
  wrangler('inherit', 'apply', binding)
  // It asks before it applies, and ends as well as ever where the answer is no.
  const left = wrangler('pipe', 'list', binding)
  if (left.includes('No migrations to apply')) continue
  console.error(`${left}\n${binding} was not migrated, so the Worker was not deployed.`)
  process.exit(1)
}

function wrangler(output: 'inherit' | 'pipe', command: string, binding: string): string {
  return execFileSync('wrangler', ['d1', 'migrations', command, binding, '--remote'], {
    encoding: 'utf8',
    stdio: ['inherit', output, 'inherit'],
    // What is listed is read here, however little somebody wants to be told.
    env: command === 'list' ? { ...process.env, WRANGLER_LOG: 'log' } : process.env,
    shell: process.platform === 'win32',
  })
}
