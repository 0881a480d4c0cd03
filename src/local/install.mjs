// Runs before `npm start` and `npm test`, under whatever Node the machine has: plain JavaScript, no dependency.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const INSTALLED = 'node_modules/.package-lock.json'

/** The packages of a lock file by path, without the project itself; empty where there is no such file. */
function packagesIn(file) {
  try {
    const { '': _project, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages
    return packages
  } catch {
    return {}
  }
}

/** Whether what is installed is what the lock says. An optional package may be missing: it is for other machines. */
function isInstalled() {
  const wanted = packagesIn('package-lock.json')
  const installed = packagesIn(INSTALLED)
  const isThere = ([path, { version, optional }]) =>
    installed[path] === undefined ? optional === true : installed[path].version === version
  return Object.entries(wanted).every(isThere) && Object.keys(installed).every((path) => path in wanted)
}

if (!isInstalled()) {
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

// A script of the package `node` puts it there, and older ones run none of ours.
if (!existsSync('node_modules/node/bin') && Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    'Node 24 is not there, for npm runs no scripts here. Run: npm rebuild node --ignore-scripts=false',
  )
  process.exit(1)
}
