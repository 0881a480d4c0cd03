import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { openRuntime, SERVICE_KEY } from '../support/service.ts'

const MINUTE_MS = 60_000
const SMOKE = resolve(import.meta.dirname, '../../src/local/smoke/smoke.ts')
const STEPS = [
  'health',
  'sandbox organization',
  'webhook to itself',
  'event type with hours',
  'booking',
  'confirmation in the outbox',
  'webhook over the queues',
  'cancellation',
  'cron',
  'cleanup',
]

let directory: string
let bundle: string
let names = 0

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smoke-'))
  bundle = await takeBuilt(join(directory, 'state'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

type Settings = Readonly<Record<string, string>>
type Overrides = NonNullable<Parameters<typeof openRuntime>[5]>

/** A deployment of its own; without `isMigrated` its database has no tables. */
async function deployed(overrides: Overrides = {}, isMigrated = true, settings: Settings = {}) {
  names += 1
  const state = join(directory, `deployed-${names}`)
  if (isMigrated) await takeBuilt(state)
  else await mkdir(state)
  const runtime = await openRuntime(bundle, state, [], '', { LOG_LINES: 'off', ...settings }, overrides)
  const url = (await runtime.ready).origin
  const count = async (what: string) =>
    (await runtime.getD1Database('DB')).prepare(`SELECT count(*) AS n FROM ${what}`).first('n')
  return {
    url,
    sweep: async (later = 0) =>
      (await fetch(`${url}/cdn-cgi/local/scheduled?time=${Date.now() + later}`)).text(),
    /** The organizations that are there and are not being deleted. */
    left: () => count('organizations WHERE id NOT IN (SELECT organization_id FROM deletions)'),
    all: () => count('organizations'),
    stop: () => runtime.dispose(),
  }
}

const environment = { ...process.env, SERVICE_KEY }

type Outcome = { readonly code: number; readonly output: string }

function smoke(args: readonly string[], env: NodeJS.ProcessEnv = environment): Promise<Outcome> {
  return new Promise((done) => {
    execFile(process.execPath, [SMOKE, ...args], { env }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
}

/** What each line says of its step. */
function stepsIn(output: string): (readonly [string, string])[] {
  return output.split('\n').flatMap((line) => {
    const [, how, name] = /^(ok|FAIL|stop)\s+(.*?)\s+\d+ ms$/.exec(line) ?? []
    return name ? [[how!, name] as const] : []
  })
}

describe('npm run smoke', () => {
  it('tries a deployment, has it send itself a webhook, and leaves nothing', async () => {
    const { url, sweep, left, all, stop } = await deployed()
    try {
      await sweep()
      const { code, output } = await smoke([url])
      expect(output).toContain(`${url} works.`)
      expect(stepsIn(output)).toEqual(STEPS.map((name) => ['ok', name]))
      expect(code).toBe(0)
      expect(await left()).toBe(0)
      let later = 0
      const remaining = async () => {
        later += MINUTE_MS
        await sweep(later)
        return all()
      }
      await expect.poll(remaining, { timeout: 30_000, interval: 500 }).toBe(0)
      expect(output).not.toContain(SERVICE_KEY)
    } finally {
      await stop()
    }
  })

  it('says that a queue is off, and deletes what it made', async () => {
    const { url, left, stop } = await deployed({ queueConsumers: {} })
    try {
      const { code, output } = await smoke([url, '--wait', '2'])
      expect([code, stepsIn(output).slice(-2)]).toEqual([
        1,
        [
          ['FAIL', 'confirmation in the outbox'],
          ['ok', 'cleanup'],
        ],
      ])
      expect(output).toContain('npx wrangler queues info holdfast-events must name this Worker')
      expect(await left()).toBe(0)
    } finally {
      await stop()
    }
  })

  it('says that the cron does not run', async () => {
    const { url, left, stop } = await deployed()
    try {
      const { code, output } = await smoke([url, '--wait', '20'])
      expect([code, stepsIn(output).slice(-2)]).toEqual([
        1,
        [
          ['FAIL', 'cron'],
          ['ok', 'cleanup'],
        ],
      ])
      expect(output).toContain('Check [triggers] in wrangler.toml')
      expect(await left()).toBe(0)
    } finally {
      await stop()
    }
  })

  it('says that the database is missing or has no tables', async () => {
    const empty = await deployed({}, false)
    try {
      const { code, output } = await smoke([empty.url])
      expect([code, stepsIn(output)]).toEqual([
        1,
        [
          ['ok', 'health'],
          ['FAIL', 'sandbox organization'],
        ],
      ])
      expect(output).toContain('the database has no tables (npm run deploy migrates it first)')
    } finally {
      await empty.stop()
    }
    const none = await deployed({ d1Databases: {} })
    try {
      const { code, output } = await smoke([none.url])
      expect([code, stepsIn(output)]).toEqual([1, [['FAIL', 'health']]])
      expect(output).toContain('Check that [[d1_databases]] in wrangler.toml names the database')
    } finally {
      await none.stop()
    }
  })

  it('says that a private address is not that of the service', async () => {
    const { url, left, stop } = await deployed({}, true, { ALLOW_PRIVATE_HOSTS: 'false' })
    try {
      const { code, output } = await smoke([url])
      expect([code, stepsIn(output).slice(-2)]).toEqual([
        1,
        [
          ['FAIL', 'webhook to itself'],
          ['ok', 'cleanup'],
        ],
      ])
      expect(output).toContain('Try it at its PUBLIC_URL')
      expect(await left()).toBe(0)
    } finally {
      await stop()
    }
  })

  it('deletes what it made when it is interrupted', async () => {
    const { url, left, stop } = await deployed({ queueConsumers: {} })
    try {
      const child = spawn(process.execPath, [SMOKE, url], { env: environment })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (text) => {
          output += text
          // By now it waits for the queue.
          if (output.includes('ok    booking') && !child.killed) child.kill('SIGINT')
        })
      }
      const code = await new Promise((done) => child.once('close', done))
      expect([code, stepsIn(output).slice(-2)]).toEqual([
        130,
        [
          ['stop', 'confirmation in the outbox'],
          ['ok', 'cleanup'],
        ],
      ])
      expect(await left()).toBe(0)
    } finally {
      await stop()
    }
  })

  it('refuses another key, another server and addresses that would show the key', async () => {
    const { url, stop } = await deployed()
    try {
      const wrong = await smoke([url], { ...environment, SERVICE_KEY: 'x'.repeat(32) })
      expect([wrong.code, stepsIn(wrong.output).at(-1)]).toEqual([1, ['FAIL', 'sandbox organization']])
      expect(wrong.output).toContain('does not know this service key')
      const none = await smoke([url], { ...environment, SERVICE_KEY: '' })
      expect([none.code, none.output]).toEqual([1, expect.stringContaining('SERVICE_KEY is not set')])
      for (const address of ['http://book.acme.com', 'book.acme.com', `${url}/docs`, '']) {
        const refused = await smoke([address])
        expect([refused.code, stepsIn(refused.output)]).toEqual([1, []])
      }
      const unreachable = await smoke(['http://127.0.0.1:9'])
      expect(unreachable.output).toContain('had no answer')
    } finally {
      await stop()
    }
  })
})
