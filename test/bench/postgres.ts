import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lastingPort } from '../support/lasting-port.ts'

export type Cluster = {
  /** For the driver of a service. */
  readonly url: string
  /** Its server, whose children do the work. */
  readonly process: number
  /** Runs SQL and returns what psql prints of its rows. */
  run(sql: string): Promise<string>
  stop(): Promise<void>
}

/** The newest PostgreSQL of this machine: where Debian has it, or on the path. */
export function findPostgres(): string | null {
  const onPath = (process.env.PATH ?? '').split(delimiter)
  const folders = [...globSync('/usr/lib/postgresql/*/bin').sort().reverse(), ...onPath]
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** Its server does not run as root, so root lends it a user that owns nothing. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A cluster of its own with the settings that PostgreSQL has by default, in a directory that ends with it. */
export async function startPostgres(folder: string): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-postgres-'))
  const user = unprivileged()
  if (user.uid !== undefined) await chown(directory, user.uid, user.gid!)
  const data = join(directory, 'data')
  const options = { cwd: directory, ...user }
  const initialize = ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-locale']
  await promisify(execFile)(join(folder, 'initdb'), initialize, options)
  const port = await lastingPort()
  const listen = ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${directory}`]
  const server = spawn(join(folder, 'postgres'), ['-D', data, '-p', String(port), ...listen], {
    ...options,
    stdio: 'ignore',
  })
  const end = () => void server.kill('SIGINT')
  process.once('exit', end)
  const url = `postgres://bench@127.0.0.1:${port}/postgres`
  const run = async (sql: string) => {
    const { stdout } = await promisify(execFile)(
      join(folder, 'psql'),
      ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', sql],
      { maxBuffer: 64 * 1024 * 1024 },
    )
    return stdout.trim()
  }
  await untilUp(server, run)
  const stop = async () => {
    const gone = once(server, 'close')
    process.off('exit', end)
    end()
    await gone
    await rm(directory, { recursive: true, force: true })
  }
  return { url, process: server.pid!, run, stop }
}

async function untilUp(server: ChildProcess, run: (sql: string) => Promise<string>): Promise<void> {
  while (server.exitCode === null) {
    try {
      await run('SELECT 1')
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error('PostgreSQL ended before it was up')
}
