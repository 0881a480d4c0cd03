import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, parse, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { V4WorkerOptions } from 'miniflare'
import { databaseFile } from '../../src/local/database-files.ts'
import { everyMigration } from '../../src/local/every-migration.ts'
import { WEBHOOK_SECRET } from './provider-events.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CONFIG = join(ROOT, 'wrangler.toml')
const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
)
const SHORTEN = join(ROOT, 'src/local/shorten-bundle.ts')

/** Beside a bundle. */
const OPTIONS = 'worker-options.json'

export const SERVICE_KEY = 'service-key-of-a-service-that-lives-for-one-test'
export const ENCRYPTION_KEY = 'encryption-key-of-a-service-that-lives-for-one-test'

async function wrangler(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [WRANGLER, ...args, '--config', CONFIG], {
    cwd: ROOT,
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
    maxBuffer: 64 * 1024 * 1024,
  })
}

/**
 * Bundles the Worker as `npm run deploy` does, which minifies afterwards; answers with the path of the bundle. What is
 * in it says `bundle-meta.json` in the directory `whole` beside it.
 */
export async function buildWorker(outDir: string, entry = 'src/index.ts'): Promise<string> {
  const name = `${parse(entry).name}.js`
  const whole = join(outDir, 'whole')
  await wrangler('deploy', entry, '--dry-run', '--no-minify', '--outdir', whole, '--metafile')
  await promisify(execFile)(process.execPath, [SHORTEN, join(whole, name)])
  await wrangler('deploy', join(whole, name), '--dry-run', '--outdir', outDir)
  await writeFile(join(outDir, OPTIONS), JSON.stringify(await workerOptions()))
  return join(outDir, name)
}

/** What wrangler.toml says of the Worker. Asking takes longer than the rest of a start, so it is asked once for a bundle. */
async function workerOptions() {
  process.env.WRANGLER_LOG ??= 'error'
  const { unstable_getMiniflareWorkerOptions } = await import('wrangler')
  return unstable_getMiniflareWorkerOptions(CONFIG).workerOptions
}

/** Gives a state that has no database one with its tables. */
export async function migrateState(state: string): Promise<void> {
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare')
  const { d1Databases } = await workerOptions()
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      d1Databases: d1Databases as Record<string, string>,
      resourcePersistencePath: join(state, 'v3'),
    }),
  )
  // It makes the file when it is first asked for something.
  await (await runtime.getD1Database('DB')).prepare('SELECT 1').run()
  await runtime.dispose()
  inDatabase(state, (database) => database.exec(everyMigration(join(ROOT, 'migrations'))))
}

export type Row = Readonly<Record<string, string | number | null>>

/** The rows of each query, asked of the database of a service that does not run. */
export function queryState(state: string, queries: readonly string[]): Row[][] {
  return inDatabase(state, (database) => queries.map((query) => database.prepare(query).all() as Row[]))
}

function inDatabase<T>(state: string, use: (database: DatabaseSync) => T): T {
  const file = databaseFile(state, 'DB')
  if (!existsSync(file)) throw new Error(`there is no database in ${state}`)
  const database = new DatabaseSync(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

/** The runtime that deployments have, without the development server around it; `beside` are further workers. */
export async function openRuntime(
  bundle: string,
  state: string,
  beside: readonly V4WorkerOptions[] = [],
  providerUrl?: string,
  settings: Readonly<Record<string, string>> = {},
  overrides: Partial<V4WorkerOptions> = {},
) {
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare')
  const options: Awaited<ReturnType<typeof workerOptions>> = JSON.parse(
    readFileSync(join(dirname(bundle), OPTIONS), 'utf8'),
  )
  const { modulesRules, bindings, ...configured } = options
  const service = {
    ...configured,
    ...overrides,
    name: 'holdfast',
    modulesRoot: dirname(bundle),
    modules: [{ type: 'ESModule' as const, path: bundle }],
    // Receivers of webhooks run on this machine too.
    bindings: {
      ...(bindings as object),
      SERVICE_KEY,
      ENCRYPTION_KEY,
      ALLOW_PRIVATE_HOSTS: 'true',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_double',
      ...(providerUrl && {
        STRIPE_API_BASE: providerUrl,
        STRIPE_SECRET_KEY: 'sk_test_double',
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      }),
      ...settings,
    },
  }
  return new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      // The cron is triggered by a call.
      unsafeTriggerHandlers: true,
      resourcePersistencePath: join(state, 'v3'),
      workers: [service, ...beside].map((worker) => ({ ...worker, unsafeDirectSockets: [{}] })),
    }),
  )
}

export type Service = {
  readonly url: string
  /** Ends every process of the service at once, with a signal that none of them can see coming. */
  kill(): Promise<void>
}

/** Starts the service, which logs nothing unless told to; `providerUrl` is where it is paid. */
export async function startService(
  bundle: string,
  state: string,
  providerUrl = '',
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const runtime = await openRuntime(bundle, state, [], providerUrl, { LOG_LINES: 'off', ...settings })
  return { url: String(await runtime.ready), kill: () => runtime.dispose() }
}
