import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { boundDatabases, localDatabases } from './databases.ts'
import { everyMigration } from './every-migration.ts'
import { Failure } from './failure.ts'
import { isMigrated } from './is-migrated.ts'
import type { Settings } from './settings.ts'

const STOP_TIMEOUT_MS = 8_000

const running = new Set<ChildProcess>()
let isStopped = false

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
  const child = run(settings, ['d1', ...args, '--local', '--persist-to', settings.stateDirectory])
  const output = collect(child)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Failure(`The local database could not be migrated.\n\n${output()}`)
}

/** Bundles the Worker as a deployment does, but keeps it readable; returns the bundle's path. */
export async function bundle(settings: Settings, entry = 'src/index.ts'): Promise<string> {
  const directory = join(settings.stateDirectory, 'bundle')
  const child = run(settings, ['deploy', entry, '--dry-run', '--no-minify', '--outdir', directory])
  const output = collect(child)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Failure(`The Worker could not be bundled.\n\n${output()}`)
  return join(directory, `${parse(entry).name}.js`)
}

/** Ends what runs of it, and waits until it has ended. None of it is started any more. */
export async function stopWrangler(): Promise<void> {
  isStopped = true
  await Promise.all([...running].map(stopGroup))
}

function run({ root }: Settings, args: readonly string[]): ChildProcess {
  if (isStopped) throw new Failure('The service is being stopped.')
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
  const child = spawn(process.execPath, [wrangler, ...args], {
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

function collect(child: ChildProcess): () => string {
  const kept: string[] = []
  for (const from of [child.stdout!, child.stderr!]) {
    from.setEncoding('utf8').on('data', (text: string) => kept.push(text))
  }
  return () => kept.join('').trim()
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
