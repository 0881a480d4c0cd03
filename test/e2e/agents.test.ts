import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askService } from '../support/ask-service.ts'
import { launchBrowser } from '../support/browser.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { SERVICE_KEY, type Service, startService } from '../support/service.ts'

/** Both official clients, as a page of another site would load them. */
const SCRIPT = `
  import { Client as Newest, StreamableHTTPClientTransport as NewestHttp } from '@modelcontextprotocol/client'
  import { Client as Earlier } from '@modelcontextprotocol/sdk/client/index.js'
  import { StreamableHTTPClientTransport as EarlierHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

  globalThis.connect = async (url, kind, key) => {
    const options = key ? { requestInit: { headers: { Authorization: 'Bearer ' + key } } } : {}
    const client =
      kind === 'newest'
        ? new Newest({ name: 'page', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
        : new Earlier({ name: 'page', version: '1' })
    await client.connect(kind === 'newest' ? new NewestHttp(new URL(url), options) : new EarlierHttp(new URL(url), options))
    const { tools } = await client.listTools()
    return {
      tools: tools.length,
      call: async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent,
    }
  }`

let directory: string
let service: Service
let site: LocalServer
let browser: Browser
let slug: string
let key: string
let base: string

function call(method: string, path: string, body: unknown, bearer = SERVICE_KEY, headers = {}) {
  return askService(base, method, path, body, bearer, headers)
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-agents-'))
  const state = join(directory, 'state')
  service = await startService(await takeBuilt(state), state)
  base = service.url.replace(/\/$/, '')
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
  })
  const script = outputFiles[0]!.text
  site = await startServer((request, response) => {
    const isScript = request.url === '/agent.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : '<!doctype html><title>Agent</title><script src="/agent.js"></script>')
  })
  browser = await launchBrowser()
  const organization = await call('POST', '/v1/organizations', { name: 'Acme', owner_user_id: randomUUID() })
  slug = organization.slug
  ;({ key } = await call('POST', '/v1/api-keys', { name: 'Agent', mode: 'live' }, SERVICE_KEY, {
    'X-Org-Id': organization.id,
  }))
  const type = { title: 'Intro call', slug: 'intro', duration_minutes: 30, booking_page_enabled: true }
  const { id } = await call('POST', '/v1/event-types', type, key)
  const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
    day_of_week,
    start_time: '00:00',
    end_time: '24:00',
  }))
  await call('PUT', `/v1/event-types/${id}/availability`, { timezone: 'UTC', rules }, key)
})

afterAll(async () => {
  await browser?.close()
  await site?.stop()
  await service?.kill()
  await rm(directory, { recursive: true, force: true })
})

async function open(): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(site.url)
  return page
}

describe.each(['newest', 'earlier'] as const)('the official client of the %s revision, in a page', (kind) => {
  it('finds, books and cancels a time on another site', async () => {
    const page = await open()
    const done = await page.evaluate(
      async ({ url, kind, slug }) => {
        const { tools, call } = await (globalThis as any).connect(url, kind)
        const { event_types: types } = await call('find_event_types', { organization: slug })
        const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
        const range = { start: dateIn(2), end: dateIn(3), timezone: 'Europe/Berlin' }
        const { slots } = await call('find_open_times', { event_type_id: types[0].id, ...range })
        const { start_time } = slots[kind === 'newest' ? 0 : 1]
        const ada = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
        const booked = await call('book', { event_type_id: types[0].id, start_time, ...ada })
        const own = { id: booked.id, token: booked.cancel_token }
        const cancelled = await call('cancel_booking', own)
        return { tools, asked: start_time, start: booked.start_time, status: cancelled.status }
      },
      { url: `${base}/mcp`, kind, slug },
    )
    expect(done).toMatchObject({ tools: 10, status: 'cancelled' })
    expect(done.start).toBe(done.asked)
    await page.close()
  })

  it('acts for an organization with its key, and reads why another key is refused', async () => {
    const page = await open()
    const connect = (sent: string) =>
      page.evaluate(
        async ({ url, kind, sent }) => {
          try {
            return (await (globalThis as any).connect(url, kind, sent)).tools as number
          } catch (error) {
            return String(error)
          }
        },
        { url: `${base}/mcp`, kind, sent },
      )
    expect(await connect(key)).toBeGreaterThan(10)
    expect(await connect('hf_live_nonsense')).toMatch(/401|valid API key|[Uu]nauthorized/)
    await page.close()
  })
})
