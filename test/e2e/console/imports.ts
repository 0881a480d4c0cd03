import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ask, at, doubles, newOwner } from './stage.ts'
import { LOOKS, seenIn } from './ways.ts'

const HERE = '/console/settings/import'
const SECRETS = { calendly: 'eyJraWQiOiJkb3VibGUifQ.ada.signature', calcom: 'cal_live_double_ada' }
type Source = keyof typeof SECRETS
const PATIENCE = { timeout: 60_000, interval: 200 }

let organizationId: string

const live = (method: string, path: string, body: unknown = null) =>
  ask(method, path, body, 'live', organizationId)
const trouble = (source: Source, troubles: readonly object[]) =>
  fetch(`${doubles.url}/${source}/console/control/troubles`, {
    method: 'PUT',
    body: JSON.stringify(troubles),
  })
const noTrouble = (source: Source) =>
  fetch(`${doubles.url}/${source}/console/control/troubles`, { method: 'DELETE' })

/** Imports once the other service is in this trouble; returns where the import is shown. */
async function imported(source: Source, status: string, troubles: readonly object[] = []): Promise<string> {
  await trouble(source, troubles)
  const secret = source === 'calendly' ? { token: SECRETS.calendly } : { api_key: SECRETS.calcom }
  const { id } = await live('POST', `/v1/import/${source}`, secret)
  await untilIs(id, status)
  if (status !== 'running') await noTrouble(source)
  return `${HERE}/${id}`
}

function untilIs(id: string, status: string): Promise<void> {
  return vi.waitFor(async () => {
    expect((await live('GET', `/v1/imports/${id}`)).status).toBe(status)
  }, PATIENCE)
}

async function fillIn(page: Page, source: Source, secret = SECRETS[source]): Promise<void> {
  await page.goto(at(HERE))
  await page.locator('select[name="source"]').selectOption(source)
  await page.locator('input[name="secret"]').fill(secret)
}

describe('an import', () => {
  let running: string
  let screens: readonly (readonly [name: string, path: string])[]

  beforeAll(async () => {
    const owner = { owner_user_id: 'importer', owner_email: 'ada.berger@example.com' }
    organizationId = (await ask('POST', '/v1/organizations', { name: 'Imported Studio', ...owner })).id
    await ask('PATCH', `/v1/organizations/${organizationId}`, { tier: 'scale' })
    const late = { status: 429, headers: { 'Retry-After': '7200' }, json: {}, times: null }
    const slow = { about: '/invitees', times: null, heldMs: 5_000 }
    const more = { method: 'POST', body: JSON.stringify({ count: 60 }) }
    const refused = { about: '/event_types', status: 401, json: {}, times: null }
    const ended: typeof screens = [
      ['failed', await imported('calendly', 'failed', [refused])],
      ['finished', await imported('calendly', 'done')],
      ['interrupted', await imported('calcom', 'interrupted', [{ about: '/bookings', ...late }])],
      ['all', HERE],
    ]
    await fetch(`${doubles.url}/calendly/console/control/schedule`, more)
    running = await imported('calendly', 'running', [slow])
    screens = [...ended, ['running', running]]
  }, 180_000)

  it.each(LOOKS)('can be read in each of its states: %s', async (look, options) => {
    const visitor = await newOwner(options, undefined, organizationId)
    for (const [name, path] of seenIn(look, screens)) {
      expect((await visitor.page.goto(at(path)))!.status(), name).toBe(200)
      await visitor.look(`console-import-${name}-${look}`)
    }
    await visitor.leave()
  })

  it('shows what it would create, starts, and shows its end without being loaded again', async () => {
    await noTrouble('calendly')
    await untilIs(running.split('/').at(-1)!, 'done')
    const { page, look, leave } = await newOwner({}, undefined, organizationId)
    await fillIn(page, 'calendly', 'refused-secret')
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByRole('link', { name: 'Calendly does not accept it.' }).waitFor()
    expect(await page.locator('input[name="secret"]').inputValue()).toBe('')
    await look('console-import-refused')
    await fillIn(page, 'calcom')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: 'Preview: Cal.com' }).waitFor()
    await look('console-import-preview')
    await trouble('calcom', [{ about: '/bookings', heldMs: 3_000 }])
    await page.getByLabel('Access token or API key').fill(SECRETS.calcom)
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByRole('status').getByText('Running.').waitFor()
    await page.getByRole('status').getByText('Finished.').waitFor({ timeout: 60_000 })
    await page.getByRole('heading', { name: /^Left out/ }).waitFor()
    await look('console-import-ended')
    await leave()
  })
})
