import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { looseId, newIdIn } from '../../src/platform/db/ids.ts'
import { call, type Json } from './app.ts'
import { createOrganization, type Organization, type OrganizationOptions } from './factories.ts'
import { openWorld, type World } from './world.ts'

type Service = 'calendly' | 'calcom'
type Who = 'ada' | 'ben' | 'cem' | 'sol'

export function secretOf(service: Service, who: Who = 'ada'): Json {
  return service === 'calendly'
    ? { token: `eyJraWQiOiJkb3VibGUifQ.${who}.signature` }
    : { api_key: `cal_live_double_${who}` }
}

/** An organization, and a world of the service that it imports from. */
export async function openForeign(
  service: Service,
  { emails = [], ...options }: OrganizationOptions & { readonly emails?: readonly string[] } = {},
): Promise<{ readonly organization: Organization; readonly world: World }> {
  const world = openWorld(service)
  const base =
    service === 'calendly' ? { CALENDLY_API_BASE: world.base } : { CALCOM_API_BASE: `${world.base}/v2` }
  Object.assign(env, base)
  const organization = await createOrganization(options)
  for (const email of emails) await addMember(organization, email)
  return { organization, world }
}

export async function addMember(organization: Organization, email: string): Promise<void> {
  await env.DB.prepare(
    'INSERT INTO members (id, organization_id, user_id, user_email, role, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
    .bind(looseId(), organization.id, `user ${email}`, email, 'member', Date.now(), Date.now())
    .run()
}

export function importFrom(
  service: Service,
  organization: Organization,
  secret: Json = secretOf(service),
  query = '',
) {
  return call('POST', `/v1/import/${service}${query}`, { key: organization.liveKey, body: secret })
}

/** The job once it ended. */
export async function importWhole(
  service: Service,
  organization: Organization,
  secret: Json = secretOf(service),
) {
  const started = await importFrom(service, organization, secret)
  expect(started.status).toBe(202)
  return ended(organization, started.body.id)
}

export async function ended(organization: Organization, id: string) {
  return expect
    .poll(() => getImport(organization, id), { timeout: 25_000, interval: 250 })
    .not.toMatchObject({ status: 'running' })
    .then(() => getImport(organization, id))
}

export async function getImport(organization: Organization, id: string) {
  return (await call('GET', `/v1/imports/${id}`, { key: organization.liveKey })).body
}

export async function listed(organization: Organization, path: string): Promise<any[]> {
  const { body } = await call('GET', path, { key: organization.liveKey })
  return body.data
}

/** One that is done. */
export async function insertImportJob(organizationId: string): Promise<string> {
  const id = newIdIn(0)
  const made = JSON.stringify({ schedules: 1, event_types: 1, bookings: 1 })
  await env.DB.prepare(
    `INSERT INTO import_jobs (id, organization_id, source, status, made, left_out, created_at, updated_at, finished_at)
     VALUES (?, ?, 'calendly', 'done', ?, '[]', 1, 1, 1)`,
  )
    .bind(id, organizationId, made)
    .run()
  return id
}
