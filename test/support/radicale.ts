import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answering, end } from './answering.ts'
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
