import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openCalendly } from '../../doubles/calendly/open-calendly.ts'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { askService } from '../support/ask-service.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { amount } from '../support/chance.ts'
import { queryState, SERVICE_KEY, type Service, startService } from '../support/service.ts'

const EVENTS = amount(120, 5_200)
const KILLS = amount(2, 8)
const TOKEN = 'eyJraWQiOiJkb3VibGUifQ.ada.signature'

let directory: string
let bundle: string
let service: Service
let doubles: Doubles
let key: string
let organizationId: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'import-crash-'))
  doubles = await startDoubles({ calendly: openCalendly })
  bundle = await takeBuilt(directory)
  await start()
  const owner = { owner_user_id: randomUUID(), owner_email: 'ada.berger@example.com' }
  organizationId = (await call('POST', '/v1/organizations', { name: 'Import', ...owner }, SERVICE_KEY)).id
  // Watching it takes more calls than the smallest plan has.
  await call('PATCH', `/v1/organizations/${organizationId}`, { tier: 'scale' }, SERVICE_KEY)
  const headers = { 'X-Org-Id': organizationId }
  key = (await call('POST', '/v1/api-keys', { name: 'import' }, SERVICE_KEY, headers)).key
  const body = JSON.stringify({ count: EVENTS })
  const control = `${doubles.url}/calendly/e2e/control`
  await fetch(`${control}/schedule`, { method: 'POST', body })
  // Otherwise it may end before it is killed.
  const slow = JSON.stringify([{ about: '/invitees', times: null, heldMs: 60 }])
  await fetch(`${control}/troubles`, { method: 'PUT', body: slow })
})

afterAll(async () => {
  await service?.kill()
  await doubles?.stop()
  await rm(directory, { recursive: true, force: true })
})

async function start() {
  service = await startService(bundle, directory, '', {
    CALENDLY_API_BASE: `${doubles.url}/calendly/e2e`,
  })
}

function call(method: string, path: string, body: unknown = null, bearer = key, headers = {}): Promise<any> {
  return askService(service.url, method, path, body, bearer, headers)
}

const importing = () => call('POST', '/v1/import/calendly', { token: TOKEN })
const jobOf = (id: string) => call('GET', `/v1/imports/${id}`)

function stored() {
  const [bookings, twice, overlaps] = queryState(directory, [
    'SELECT count(*) AS n FROM bookings',
    'SELECT source FROM imported_from GROUP BY made_id HAVING count(*) > 1',
    `SELECT one.holder_id FROM holds one JOIN holds other ON other.resource_id = one.resource_id
       AND other.holder_id <> one.holder_id AND other.starts_at < one.ends_at AND other.ends_at > one.starts_at`,
  ])
  return { bookings: bookings![0]!.n as number, twice, overlaps }
}

it('continues an import whose process was killed, makes nothing twice, and stores no secret', async () => {
  let { id } = await importing()
  for (let kill = 1; kill <= KILLS; kill++) {
    const most = (EVENTS * kill) / (KILLS + 2)
    await expect
      .poll(async () => (await jobOf(id)).made.bookings, { timeout: 120_000, interval: 200 })
      .toBeGreaterThan(most)
    await service.kill()
    const { bookings, twice, overlaps } = stored()
    expect([bookings > most, twice, overlaps]).toEqual([true, [], []])
    await start()
    expect((await jobOf(id)).status).toBe('interrupted')
    // Two owners at once are one job.
    const [one, other] = await Promise.all([importing(), importing()])
    expect([one.id, other.id]).toEqual([id, id])
    id = one.id
  }
  await expect.poll(async () => (await jobOf(id)).status, { timeout: 600_000, interval: 500 }).toBe('done')
  const job = await jobOf(id)
  const again = await importing()
  await expect.poll(async () => (await jobOf(again.id)).status, { timeout: 600_000 }).toBe('done')
  const last = await jobOf(again.id)
  await service.kill()
  const { bookings, twice, overlaps } = stored()
  expect([twice, overlaps]).toEqual([[], []])
  expect(job.made.bookings + last.made.bookings).toBe(bookings)
  expect(bookings).toBeGreaterThan(EVENTS / 2)
  const tables = queryState(directory, ["SELECT name FROM sqlite_master WHERE type = 'table'"])[0]!
  const rows = queryState(
    directory,
    tables.flatMap(({ name }) => (/^(sqlite|_cf)/.test(String(name)) ? [] : [`SELECT * FROM "${name}"`])),
  )
  expect(JSON.stringify(rows)).not.toContain(TOKEN)
}, 1_200_000)
