import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, globSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

export type SystemPackage = {
  /** Debian's name for it. */
  readonly name: string
  readonly purpose: string
  readonly isThere: () => boolean
  /** Matches the source of every file that uses it. */
  readonly usedBy: RegExp
}

const FONT_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.local/share/fonts')]

/** The system's own, which has the system's packages, before one that somebody put on the path. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

/** What the tests need of the system besides Node. */
export const SYSTEM_PACKAGES: readonly SystemPackage[] = [
  {
    name: 'radicale',
    purpose: 'a CalDAV server',
    isThere: () => isOnPath('radicale'),
    usedBy: /inject\('radicale'\)|startRadicale\(/,
  },
  {
    name: 'xandikos',
    purpose: 'a second CalDAV server',
    isThere: () => isOnPath('xandikos'),
    usedBy: /startXandikos\(/,
  },
  {
    name: 'chromium-headless-shell',
    purpose: 'a browser',
    isThere: () => findChromium() !== null,
    usedBy: /launchBrowser\(/,
  },
  {
    name: 'fonts-noto-core',
    purpose: 'fonts for the browser',
    isThere: () => hasFont('NotoSans-Regular*'),
    usedBy: /launchBrowser\(/,
  },
  {
    name: 'fonts-noto-cjk',
    purpose: 'Japanese fonts for the browser',
    isThere: () => hasFont('NotoSansCJK*'),
    usedBy: /launchBrowser\(/,
  },
  {
    name: 'python3-icalendar',
    purpose: 'a second reader of calendar files',
    isThere: () => isRunning(PYTHON, ['-c', 'import icalendar']),
    usedBy: /from icalendar import/,
  },
  {
    name: 'curl',
    purpose: 'runs the commands of the README and the guides',
    isThere: () => isOnPath('curl'),
    usedBy: /\bcurl [-/]|\bsh: 'bash'/,
  },
  {
    name: 'openssl',
    purpose: 'makes the secrets and keys in the commands of the guides',
    isThere: () => isOnPath('openssl'),
    usedBy: /\bsh: 'bash'/,
  },
]

/** The shell draws like the whole browser for half the work. `CHROMIUM` names another one. */
export function findChromium(): string | null {
  const places = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
  return places.find((place) => place !== undefined && existsSync(place)) ?? null
}

export function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function hasFont(pattern: string): boolean {
  return FONT_FOLDERS.some((folder) => globSync(`**/${pattern}`, { cwd: folder }).length > 0)
}

function isRunning(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
