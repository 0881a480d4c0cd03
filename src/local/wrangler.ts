import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { boundDatabases, localDatabases } from './databases.ts'
import { everyMigration } from './every-migration.ts'
import { Failure } from './failure.ts'
import { isMigrated } from './is-migrated.ts'
import type { Settings } from './settings.ts'

const READY_TIMEOUT_MS = 90_000
const STOP_TIMEOUT_MS = 8_000

const running = new Set<ChildProcess>()
let isStopped = false

type DevServer = {
  /** Lets the terminal see what the service logs from now on. */
  showLog(): void
  /** Resolves when the service has ended, for any reason. */
  readonly ended: Promise<void>
}

/** Brings the local databases up to date, new ones at once. */
export async function migrate(settings: Settings): Promise<void> {
  const { root, stateDirectory } = settings
  const config = join(root, 'wrangler.toml')
  const databases = boundDatabases(config)
  const folder = join(root, 'migrations')
  if (isMigrated(localDatabases(config, stateDirectory), folder)) return
  if (existsSync(join(stateDirectory, 'v3/d1'))) {
    for (const binding of databases) await runMigration(settings, ['migrations', 'apply', binding])
    return
  }
  const file = join(stateDirectory, 'migrations.sql')
  writeFileSync(file, everyMigration(folder))
  for (const binding of databases) await runMigration(settings, ['execute', binding, '--file', file])
  rmSync(file)
}

async function runMigration(settings: Settings, args: readonly string[]): Promise<void> {
  const child = run(settings, ['d1', ...args, '--local'])
  const output = collect(child)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Failure(`The local database could not be migrated.\n\n${output.text()}`)
}

/** Starts `wrangler dev`, with `variables` besides what is configured, and waits until the service is healthy. */
export async function startDevServer(
  settings: Settings,
  variables: Readonly<Record<string, string>> = {},
): Promise<DevServer> {
  const { port, url } = settings
  const given = Object.entries({ PUBLIC_URL: url, ...variables })
  const vars = given.flatMap(([name, value]) => ['--var', `${name}:${value}`])
  const child = run(settings, ['dev', '--port', String(port), ...vars])
  const output = collect(child)
  const ended = once(child, 'close').then(() => undefined)
  try {
    await untilHealthy(child, url)
  } catch (error) {
    await stopWrangler()
    throw error instanceof Failure ? new Failure(`${error.message}\n\n${output.text()}`) : error
  }
  return { showLog: output.show, ended }
}

/** Ends what runs of it, and waits until it has ended. None of it is started any more. */
export async function stopWrangler(): Promise<void> {
  isStopped = true
  await Promise.all([...running].map(stopGroup))
}

function run({ root, stateDirectory }: Settings, args: readonly string[]): ChildProcess {
  if (isStopped) throw new Failure('The service is being stopped.')
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
  const child = spawn(process.execPath, [wrangler, ...args, '--persist-to', stateDirectory], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: Ctrl-C reaches this process only, which then stops the whole group in order.
    detached: true,
    // Without a terminal and with CI set, wrangler asks nothing.
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' },
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

function collect(child: ChildProcess) {
  let kept: string[] | null = []
  for (const [from, to] of [
    [child.stdout!, process.stdout],
    [child.stderr!, process.stderr],
  ] as const) {
    from.setEncoding('utf8').on('data', (text: string) => (kept ? kept.push(text) : to.write(text)))
  }
  return {
    text: () => kept?.join('').trim() ?? '',
    show: () => {
      kept = null
    },
  }
}

async function untilHealthy(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Failure('wrangler dev ended before the service was up.')
    }
    try {
      const { status } = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) })
      if (status === 200) return
    } catch {
      // Nobody listens yet.
    }
    await sleep(150)
  }
  throw new Failure(`The service did not become healthy within ${READY_TIMEOUT_MS / 1000} seconds.`)
}

async function stopGroup(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close')
  signalGroup(child, 'SIGINT')
  const isOver = await Promise.race([ended.then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })])
  if (isOver) return
  signalGroup(child, 'SIGKILL')
  await ended
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
