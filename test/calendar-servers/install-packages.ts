import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Whether Debian's packages are there, or could be installed, which needs root. */
export function installPackages(packages: readonly string[]): boolean {
  const isThere = (name: string) => spawnSync('dpkg', ['-s', name], { stdio: 'ignore' }).status === 0
  const missing = packages.filter((name) => !isThere(name))
  if (missing.length === 0) return true
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return false
  const apt = (...args: readonly string[]) =>
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  apt('update')
  return apt('install', '-y', '--no-install-recommends', ...missing).status === 0
}
