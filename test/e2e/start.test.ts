import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recallKeys, rememberKeys } from '../../src/local/demo-file.ts'
import { seedDemo } from '../../src/local/seed.ts'
import { readSettings } from '../../src/local/settings.ts'
import { lastingPort } from '../support/lasting-port.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const state = mkdtempSync(join(tmpdir(), 'holdfast-start-'))
const started: ChildProcess[] = []
const PATIENT = { timeout: 30_000, interval: 200 }
let port = 0

type Started = {
  readonly output: string
  /** What it has printed until now. */
  printed(): string
  readonly keys: readonly string[]
  readonly curlLines: readonly string[]
  /** Ends it as Ctrl-C does and gives its exit code. */
  stop(): Promise<number | null>
  /** Reads no more of what it says, and gives its exit code once it has noticed. */
  turnAway(): Promise<number | null>
}

function spawnStart(args: readonly string[] = []): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['src/local/start.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), HOLDFAST_STATE: state, WRANGLER_LOG: 'log' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return { child, output: () => output }
}

async function start(...args: string[]): Promise<Started> {
  const { child, output } = spawnStart(args)
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', () => /Console\s.*\n/.test(output()) && resolve())
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output()}`)))
  })
  const text = output()
  return {
    output: text,
    printed: output,
    keys: text.match(/hf_(live|test)_[\w-]{49}/g) ?? [],
    curlLines: text.split('\n').filter((line) => /^(booking=\$\()?curl /.test(line)),
    stop: async () => {
      const exit = once(child, 'exit')
      child.kill('SIGINT')
      return (await exit)[0]
    },
    turnAway: async () => {
      const exit = once(child, 'exit')
      child.stdout!.destroy()
      // It tells of this call, and may end before it has answered it.
      await fetch(`http://localhost:${port}/health`).catch(() => {})
      return (await exit)[0]
    },
  }
}

/** Pastes the lines into a shell and gives the answer to each. */
async function paste(shell: string, lines: readonly string[]): Promise<any[]> {
  const { stdout } = await promisify(execFile)(shell, ['-c', lines.join('\n')])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function get(path: string, key: string): Promise<any> {
  const response = await fetch(`http://localhost:${port}${path}`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  expect(response.status, path).toBe(200)
  return response.json()
}

describe('npm start', () => {
  let first: Started
  let second: Started

  beforeAll(async () => {
    port = await lastingPort()
    first = await start()
  })

  afterAll(async () => {
    for (const child of started) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const exit = once(child, 'exit')
      child.kill('SIGINT')
      await exit
    }
    rmSync(state, { recursive: true, force: true })
  })

  it('prints a live key, a test key and three lines that see the slots, book one and cancel it', async () => {
    expect(first.keys.map((key) => key.slice(0, 8))).toEqual(['hf_live_', 'hf_test_'])
    expect(first.curlLines).toHaveLength(3)

    const [slots, booked, cancelled] = await paste('bash', first.curlLines)
    expect(slots.slots.map((slot: any) => slot.start_time)).toContain(booked.start_time)
    expect(booked).toMatchObject({ status: 'confirmed', is_test: false })
    expect(cancelled).toMatchObject({ id: booked.id, status: 'cancelled' })
  })

  it('prints the keys last, and logs no request', async () => {
    const [liveKey] = first.keys
    await get('/v1/event-types', liveKey!)
    const last = first.output.trimEnd().split('\n').slice(-3)
    expect(last.map((line) => line.trim().split(/ {2,}/)[0])).toEqual(['Live key', 'Test key', 'Console'])
    expect(first.printed()).not.toContain('"event":')
    expect(first.printed()).not.toContain('mf:info] QUEUE')
  })

  it('fills two weeks with hosts, a class, a request, a no-show and a payment', async () => {
    const [liveKey, testKey] = first.keys
    const { data } = await get('/v1/bookings?limit=100&expand=event_type', liveKey!)
    const titled = (title: string) => data.filter((one: any) => one.event_type.title === title)
    const [requested] = titled('Project review')
    expect(requested.status).toBe('pending_approval')
    const hosts = new Set(titled('Working session').map((one: any) => one.assigned_host.name))
    expect([...hosts].toSorted()).toEqual(['Aylin Kaya', 'Jonas Weber', 'Mara Lindt'])
    const seats = Map.groupBy(titled('Group class'), (one: any) => one.session_id)
    expect(Math.max(...[...seats.values()].map((taken) => taken.length))).toBe(5)
    const past = data.filter((one: any) => Date.parse(one.start_time) < Date.now())
    expect(past.length).toBeGreaterThan(1)
    const absent = past.flatMap((one: any) => one.attendees).filter((one: any) => one.no_show)
    expect(absent).toHaveLength(1)
    const days = new Set(data.map((one: any) => one.start_time.slice(0, 10)))
    expect(days.size).toBeGreaterThan(9)
    const [paid] = (await get('/v1/bookings', testKey!)).data
    expect(paid).toMatchObject({ status: 'confirmed', payment: { status: 'succeeded' } })
  })

  it('takes the first booking as the README shows it', async () => {
    const section = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n## The first booking\n')[1]!
    const lines = section.split('```sh\n')[1]!.split('```')[0]!.replace(':8787', `:${port}`)
    const { stdout } = await promisify(execFile)('sh', ['-c', lines])
    const [slots, booked, cancelled] = stdout.trim().split('\n')
    expect(slots).toContain('"slots":[{"start_time":')
    expect(JSON.parse(booked!)).toMatchObject({ status: 'confirmed', invitee_name: 'Ada Lovelace' })
    expect(JSON.parse(cancelled!)).toMatchObject({ id: JSON.parse(booked!).id, status: 'cancelled' })
  })

  it('prints existing booking pages', async () => {
    const pages = first.output.match(/http:\S+\/book\/\S+/g) ?? []
    expect(pages).toHaveLength(5)
    for (const page of pages) {
      const response = await fetch(page)
      expect(response.status, page).toBe(200)
      const stylesheet = /href="(\/assets\/page\.css\?v=\w+)"/.exec(await response.text())![1]!
      const { status, headers } = await fetch(new URL(stylesheet, page))
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  it('runs the cron, which the local runtime does not', async () => {
    const { serviceKey } = readSettings({ PORT: String(port) })
    const lastSweepAt = async () => (await get('/v1/operator/health', serviceKey)).last_sweep_at
    await expect.poll(lastSweepAt, PATIENT).not.toBeNull()
  })

  it('passes npm run smoke, which uses its key', async () => {
    const { SERVICE_KEY: _, ...env } = process.env
    const args = ['src/local/smoke/smoke.ts', `http://localhost:${port}`]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
    expect(stdout).toContain(`http://localhost:${port} works.`)
  })

  it('names a busy port and stops', async () => {
    const { child, output } = spawnStart()
    const [code] = await once(child, 'exit')
    expect(code).toBe(1)
    expect(output()).toContain(`Port ${port} is in use`)
    expect(output()).not.toContain('Migrating')
  })

  it('keeps its data when it starts again, and shows a slot that is still open', async () => {
    const [, booked] = await paste('sh', first.curlLines.slice(0, 2))
    const live = '/v1/bookings?limit=100'
    const count = (await get(live, first.keys[0]!)).data.length
    expect(await first.stop()).toBe(0)
    await expect(fetch(`http://localhost:${port}/health`)).rejects.toThrow()

    second = await start('--with-doubles', '--verbose')
    expect(second.keys).toEqual(first.keys)

    const [liveKey, testKey] = second.keys
    expect((await get(live, liveKey!)).data).toHaveLength(count)
    const eventTypes = await get('/v1/event-types', liveKey!)
    expect(eventTypes.data).toHaveLength(5)
    expect((await get('/v1/event-types', testKey!)).data).toHaveLength(1)
    expect((await get('/v1/api-keys', liveKey!)).data).toHaveLength(1)
    expect((await get('/v1/api-keys', testKey!)).data).toHaveLength(1)
    expect(eventTypes.data[0].organization_id).toBe(booked.organization_id)
    expect(await get(`/v1/bookings/${booked.id}`, liveKey!)).toMatchObject({ status: 'confirmed' })

    const [, again, cancelled] = await paste('sh', second.curlLines)
    expect(again.start_time).not.toBe(booked.start_time)
    expect(cancelled).toMatchObject({ id: again.id, status: 'cancelled' })
  })

  it('shows a connected calendar with simulated providers, and writes bookings to it', async () => {
    const [liveKey] = second.keys
    const [calendar] = (await get('/v1/calendars', liveKey!)).data
    expect(calendar).toMatchObject({ provider: 'calendar_a', status: 'active', receives_bookings: true })
    expect(second.output).toContain(calendar.account_email)
    const [account] = (await get('/v1/calendars/accounts', liveKey!)).data
    expect(account.calendars.length).toBeGreaterThan(1)

    const [, booked] = await paste('sh', second.curlLines.slice(0, 2))
    const [, events] = /Its events\s+(\S+)/.exec(second.output)!
    await expect.poll(async () => (await fetch(events!)).text(), PATIENT).toContain(booked.id)
  })

  it('accepts simulated payments with a simulated provider, which reports them', async () => {
    const [liveKey] = second.keys
    const send = async (path: string, body: object, key?: string): Promise<any> => {
      const headers = { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) }
      const url = path.startsWith('http') ? path : `http://localhost:${port}${path}`
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      const text = await response.text()
      expect(response.status, `${path}: ${text}`).toBeLessThan(300)
      return JSON.parse(text)
    }
    const [, accountId] = /Payments\s+(acct_\w+)/.exec(second.output)!
    const input = { title: 'Paid', slug: 'paid', duration_minutes: 30, price_amount: 5_000 }
    const { id } = await send('/v1/event-types', input, liveKey)
    const hours = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '00:00',
      end_time: '24:00',
    }))
    await fetch(`http://localhost:${port}/v1/event-types/${id}/availability`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${liveKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ rules: hours }),
    })
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const query = `event_type_id=${id}&start=${day}&end=${day}&timezone=Europe/Berlin`
    const { slots } = await get(`/v1/availability?${query}`, liveKey!)
    const booked = await send('/v1/bookings', {
      event_type_id: id,
      start_time: slots[0].start_time,
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
    })
    expect(booked.payment).toMatchObject({ status: 'pending', payment_provider_account_id: accountId })
    const intentId = booked.payment.client_secret.split('_secret_')[0]
    const [, line] = /To pay\s+curl -X POST (\S+)/.exec(second.output)!
    await send(line!.replace('pi_…', intentId), {})
    const told = async () => {
      const { status, payment } = await get(`/v1/bookings/${booked.id}`, liveKey!)
      return [status, payment.status]
    }
    await expect.poll(told, PATIENT).toEqual(['confirmed', 'succeeded'])
    const payment = await send(`/v1/payments/${booked.payment.id}/refund`, { amount: 1_000 }, liveKey)
    expect(payment.status).toBe('partially_refunded')
    await fetch(`http://localhost:${port}/v1/event-types/${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${liveKey}` },
    })
  })

  it('leads a guest through a pretend payment page to a confirmed booking', async () => {
    const [liveKey] = second.keys
    const [, offered] = /Paid consultation\s+(\S+)/.exec(second.output)!
    expect((await fetch(offered!)).status).toBe(200)
    const { data } = await get('/v1/event-types', liveKey!)
    const { id: event_type_id } = data.find(({ slug }: any) => slug === 'consultation')
    const [from, to] = [2, 9].map((ahead) =>
      new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10),
    )
    const query = `event_type_id=${event_type_id}&start=${from}&end=${to}&timezone=Europe/Berlin`
    const { slots } = await get(`/v1/availability?${query}`, liveKey!)
    const asked = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' }
    const made = await fetch(`http://localhost:${port}/v1/bookings`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ event_type_id, start_time: slots[0].start_time, ...asked }),
    })
    const { id, cancel_token: token } = (await made.json()) as any
    const page = await fetch(`http://localhost:${port}/bookings/${id}/pay`, {
      method: 'POST',
      headers: { Origin: `http://localhost:${port}` },
      body: new URLSearchParams({ token }),
    })
    const form = await page.text()
    const [script, secret, next] = ['script', 'secret', 'next'].map(
      (name) => new RegExp(`data-${name}="([^"]*)"`).exec(form)![1]!,
    )
    const loaded = await fetch(script!)
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=UTF-8',
    ])
    const [base] = /http:\/\/[^"]+\/pay\//.exec(await loaded.text())!
    expect(page.headers.get('content-security-policy')).toContain(new URL(base).origin)
    const payment = `${base}${secret!.split('_secret_')[0]}?return_url=${encodeURIComponent(next!)}`
    const paid = await fetch(`${payment}&how=succeed`, { redirect: 'manual' })
    const cookie = page.headers.getSetCookie().find((one) => one.includes('hf_paying'))!
    const booked = await fetch(paid.headers.get('location')!, { headers: { Cookie: cookie.split(';')[0]! } })
    expect([booked.status, new URL(booked.url).pathname]).toEqual([
      200,
      `/book/demo-studio/consultation/booked/${id}`,
    ])
    const status = async () => (await get(`/v1/bookings/${id}`, liveKey!)).status
    await expect.poll(status, PATIENT).toBe('confirmed')
  })

  it('creates new keys if the remembered ones are lost or missing in the database', async () => {
    const settings = readSettings({ PORT: String(port), HOLDFAST_STATE: state })
    const seen = [...second.keys]
    for (const remembered of [
      null,
      { live: `hf_live_${'a'.repeat(43)}3B4FEY`, test: 'of a database that is gone' },
    ]) {
      if (remembered) rememberKeys(settings.demoFile, remembered)
      else rmSync(settings.demoFile)
      const { liveKey, testKey } = await seedDemo(settings)
      for (const key of [liveKey, testKey]) expect(seen).not.toContain(key)
      seen.push(liveKey, testKey)
      expect((await get('/v1/event-types', liveKey)).data).toHaveLength(5)
      expect((await get('/v1/event-types', testKey)).data).toHaveLength(1)
      for (const key of [liveKey, testKey])
        expect((await get('/v1/schedules', key)).data).toMatchObject([{ is_default: true }])
      expect(recallKeys(settings.demoFile)).toEqual({ live: liveKey, test: testKey })
    }
  })

  it('leaves nothing behind when its output is no longer read, as in npm start | head', async () => {
    expect(await second.turnAway()).toBe(0)
    await expect(fetch(`http://localhost:${port}/health`)).rejects.toThrow()
  })
})
