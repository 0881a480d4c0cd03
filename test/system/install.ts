import type { SystemPackage } from './packages.ts'

/** The machine, as far as installing packages depends on it. */
export type Machine = {
  readonly packages: readonly SystemPackage[]
  /** What `/etc/os-release` says, empty where there is none. */
  readonly release: string
  readonly isRoot: boolean
  readonly isAttended: boolean
  readonly isCi: boolean
  readonly has: (program: string) => boolean
  /** Whether the command succeeded. */
  readonly run: (command: readonly string[]) => boolean
  readonly say: (line: string) => void
}

/**
 * Installs what is missing if the system is Debian or Ubuntu, as root or by sudo. Returns whether the tests may start: with
 * something missing they may, except in CI.
 */
export function installMissing(machine: Machine): boolean {
  const wanted = missing(machine)
  if (wanted.length === 0) return true
  const prefix = installer(machine)
  if (prefix !== null) {
    machine.say('The tests use programs that are not installed yet:')
    for (const { name, purpose } of wanted) machine.say(`  ${name}: ${purpose}`)
    machine.say(`Installing them with ${[...prefix, 'apt-get'].join(' ')}.`)
    machine.run([...prefix, 'apt-get', 'update', '-qq'])
    // One that this release does not have must not keep the others out.
    const known = wanted.filter(({ name }) => machine.run(['apt-cache', 'show', '--quiet', name]))
    if (known.length > 0) machine.run([...prefix, ...INSTALL, ...known.map(({ name }) => name)])
  }
  const left = missing(machine)
  if (left.length === 0) return true
  machine.say(`Not installed: ${left.map(({ name, purpose }) => `${name} (${purpose})`).join(', ')}.`)
  if (machine.isCi) machine.say('CI runs every test, so it ends here.')
  else machine.say('The tests that need them are left out, and listed at the end.')
  return !machine.isCi
}

const INSTALL = [
  'env',
  'DEBIAN_FRONTEND=noninteractive',
  'apt-get',
  'install',
  '-y',
  '-qq',
  '--no-install-recommends',
]

function missing({ packages }: Machine): SystemPackage[] {
  return packages.filter(({ isThere }) => !isThere())
}

/** What `apt-get` is called through, null where it cannot be. Nobody types a password where no terminal is. */
function installer({ release, isRoot, isAttended, has, run }: Machine): readonly string[] | null {
  if (!/^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release) || !has('apt-get')) return null
  if (isRoot) return []
  if (!has('sudo')) return null
  if (isAttended) return ['sudo']
  return run(['sudo', '-n', 'true']) ? ['sudo', '-n'] : null
}
