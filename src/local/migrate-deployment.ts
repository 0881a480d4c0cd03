import { execFileSync } from 'node:child_process'
import { boundDatabases } from './databases.ts'

// One after the other: what fails leaves the previous Worker on databases that it can work with.
for (const binding of boundDatabases('wrangler.toml')) {
  execFileSync('wrangler', ['d1', 'migrations', 'apply', binding, '--remote'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}
