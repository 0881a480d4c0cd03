import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CALDAV_USERS } from './caldav.ts'
import { lastingPort } from './lasting-port.ts'

export type Radicale = { readonly url: string; stop(): Promise<void> }

/** A real CalDAV server on a free port of this machine, with nothing in it. Fails where there is no `radicale`. */
export async function startRadicale(): Promise<Radicale> {
  const folder = await mkdtemp(join(tmpdir(), 'radicale-'))
  const users = join(folder, 'users')
  const accounts = Object.values(CALDAV_USERS)
  await writeFile(users, accounts.map(({ username, password }) => `${username}:${password}\n`).join(''))
  const port = await lastingPort()
  const settings = {
    'server-hosts': `127.0.0.1:${port}`,
    'server-ssl': 'False',
    'auth-type': 'htpasswd',
    'auth-htpasswd-filename': users,
    'auth-htpasswd-encryption': 'plain',
    'auth-delay': '0',
    'rights-type': 'owner_only',
    'storage-filesystem-folder': join(folder, 'collections'),
    'storage-max-sync-token-age': '86400',
    'logging-level': 'warning',
  }
  const child = spawn(
    'radicale',
    ['--config', '', ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await answering(child, url, 'radicale')
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

/** Whatever it answers. Fails where the package is not installed. */
export async function answering(child: ChildProcess, url: string, name: string): Promise<void> {
  let said = ''
  child.stderr!.on('data', (piece) => {
    said = `${said}${piece}`.slice(-2000)
  })
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = error
  })
  for (let attempt = 0; attempt < 300; attempt++) {
    if (failure !== null)
      throw new Error(`It does not start: install the package ${name}`, { cause: failure })
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`)
    const isUp = await fetch(`${url}/`, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${name} does not answer: ${said}`)
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(timer)
}
