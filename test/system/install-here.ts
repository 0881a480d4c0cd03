import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { installMissing } from './install.ts'
import { isOnPath, SYSTEM_PACKAGES } from './packages.ts'

const RELEASE = '/etc/os-release'
/** They print pages that nobody reads. */
const isQuiet = (command: readonly string[]) => command.includes('show') || command.includes('true')

const mayStart = installMissing({
  packages: SYSTEM_PACKAGES,
  release: existsSync(RELEASE) ? readFileSync(RELEASE, 'utf8') : '',
  isRoot: process.getuid?.() === 0,
  isAttended: process.stdin.isTTY,
  isCi: (process.env.CI ?? '') !== '',
  has: isOnPath,
  run: (command) => {
    const [program, ...args] = command
    // What dpkg says of each package goes nowhere; what goes wrong is said.
    const out = isQuiet(command) ? 'ignore' : ['inherit' as const, 'ignore' as const, 'inherit' as const]
    return spawnSync(program!, args, { stdio: out }).status === 0
  },
  say: (line) => console.log(line),
})
process.exitCode = mayStart ? 0 : 1
