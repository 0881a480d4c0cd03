import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastingPort } from '../support/lasting-port.ts'

/** A CalDAV server as the checks know it: its addresses are of the user whom `username` names. */
export type Server = {
  readonly name: string
  readonly version: string
  readonly origin: string
  readonly username: string
  readonly password: string
  /** Where the account's calendars are, with a slash at the end. */
  readonly home: string
  readonly principal: string
  /** A calendar of somebody else; null where there is nobody else. */
  readonly foreign: string | null
  /** Whether it asks for a password at all. */
  readonly asksPassword: boolean
  /** Null if it is not ours to stop, or to change. */
  readonly control: Control | null
}

/** The address for the account, and the one for `grace`, whose password is `secret-grace`. */
export type ReadOnly = { readonly url: string; readonly editorUrl: string }

export type Control = {
  start(): Promise<void>
  stop(): void
  /** Copies what it stores, and puts the copy in the place of what it has stored since then. */
  backUp(): Promise<void>
  restore(): Promise<void>
  /** Null where there are no passwords. */
  readonly changePassword: ((password: string) => void) | null
  /** Gives the account a calendar that only its editor may change; null where a server knows no such calendars. */
  readonly readOnly: ((name: string) => ReadOnly) | null
}

type Known = Pick<Server, 'asksPassword'> & {
  readonly sharesReadOnly?: true
  readonly name: string
  readonly script: string
  readonly packages: readonly string[]
  readonly paths: { readonly home: string; readonly principal: string; readonly foreign: string | null }
}

export const SERVERS: readonly Known[] = [
  {
    name: 'Radicale',
    script: 'radicale.sh',
    sharesReadOnly: true,
    packages: ['radicale'],
    asksPassword: true,
    paths: { home: '/ada/', principal: '/ada/', foreign: '/grace/work/' },
  },
  {
    name: 'Xandikos',
    script: 'xandikos.sh',
    packages: ['xandikos'],
    asksPassword: false,
    paths: { home: '/ada/calendars/', principal: '/ada/', foreign: null },
  },
  {
    name: 'Cyrus IMAP',
    script: 'cyrus.sh',
    sharesReadOnly: true,
    packages: ['cyrus-imapd', 'cyrus-caldav', 'sasl2-bin', 'libsasl2-modules'],
    asksPassword: true,
    paths: {
      home: '/dav/calendars/user/ada/',
      principal: '/dav/principals/user/ada/',
      foreign: '/dav/calendars/user/grace/Default/',
    },
  },
  {
    name: 'DAViCal',
    script: 'davical.sh',
    sharesReadOnly: true,
    packages: ['davical', 'postgresql', 'php-cli', 'php-pgsql', 'php-xml', 'php-curl'],
    asksPassword: true,
    paths: {
      home: '/caldav.php/ada/',
      principal: '/caldav.php/ada/',
      foreign: '/caldav.php/grace/calendar/',
    },
  },
  {
    name: 'SOGo',
    script: 'sogo.sh',
    sharesReadOnly: true,
    packages: ['sogo', 'postgresql', 'memcached'],
    asksPassword: true,
    paths: {
      home: '/SOGo/dav/ada/Calendar/',
      principal: '/SOGo/dav/ada/',
      foreign: '/SOGo/dav/grace/Calendar/personal/',
    },
  },
]

const PASSWORD = 'secret-ada'

export async function openServer({
  name,
  script,
  paths,
  asksPassword,
  sharesReadOnly,
}: Known): Promise<Server & { readonly control: Control; remove(): Promise<void> }> {
  // Other users run these servers, so the folder is open to all.
  const directory = await mkdtemp(join(tmpdir(), 'calendar-server-'))
  execFileSync('chmod', ['755', directory])
  const stored = join(directory, 'now')
  const port = await lastingPort()
  const origin = `http://127.0.0.1:${port}`
  const run = (verb: string, ...more: readonly string[]) =>
    execFileSync(join(import.meta.dirname, 'scripts', script), [verb, stored, String(port), ...more], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const start = async () => {
    run('start')
    await answering(`${origin}${paths.home}`)
  }
  const control: Control = {
    start,
    stop: () => void run('stop'),
    backUp: () => copy(stored, join(directory, 'backup')),
    restore: async () => {
      await rm(stored, { recursive: true })
      await copy(join(directory, 'backup'), stored)
    },
    readOnly: sharesReadOnly
      ? (calendar) => {
          const [path, editorPath] = run('readonly', calendar).trim().split('\n')
          return { url: origin + path, editorUrl: origin + editorPath }
        }
      : null,
    changePassword: asksPassword ? (password) => void run('password', password) : null,
  }
  await start()
  return {
    name,
    version: run('version'),
    origin,
    username: 'ada',
    password: PASSWORD,
    home: origin + paths.home,
    principal: origin + paths.principal,
    foreign: paths.foreign && origin + paths.foreign,
    asksPassword,
    control,
    remove: async () => {
      run('stop')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** With owners and times as they are. */
async function copy(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  execFileSync('cp', ['-a', from, to])
}

/** A server that somebody else runs: `CALDAV_URL` is its folder of calendars. */
export function remoteServer(variables: Readonly<Record<string, string | undefined>>): Server | null {
  const { CALDAV_URL: url, CALDAV_USER: username = '', CALDAV_PASSWORD: password = '' } = variables
  if (!url) return null
  const home = url.endsWith('/') ? url : `${url}/`
  const { origin, host } = new URL(home)
  return {
    name: host,
    version: 'as it is',
    origin,
    username,
    password,
    home,
    principal: home,
    foreign: null,
    asksPassword: true,
    control: null,
  }
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    const status = await fetch(url, { method: 'PROPFIND', headers: { Depth: '0' } }).then(
      (response) => response.status,
      () => 0,
    )
    if (status > 0 && status < 500) return
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error(`Nothing answers at ${url}`)
}
