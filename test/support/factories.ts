import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { takeOwnHours } from '../../src/booking/event-types/statements.ts'
import { ruleRows } from '../../src/booking/hours/event-type/put-availability.ts'
import { replaceRules } from '../../src/booking/hours/event-type/queries.ts'
import { RulesInput } from '../../src/booking/hours/event-type/schema.ts'
import { recordActivity } from '../../src/outbox/activity/statements.ts'
import { type ApiKeyRow, insertKey } from '../../src/people/api-keys/queries.ts'
import { newOrganization } from '../../src/people/organizations/new-organization.ts'
import { insertMember, insertOrganization } from '../../src/people/organizations/queries.ts'
import { newApiKey } from '../../src/platform/auth/api-key.ts'
import { sha256 } from '../../src/platform/auth/secret.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { newId, shardOf } from '../../src/platform/db/ids.ts'
import { organizations } from '../../src/platform/db/schema/organizations.ts'
import { homeOf, shardsOf } from '../../src/platform/db/shards.ts'
import type { AskedMs } from '../../src/platform/limits/clock.ts'
import { call, callAsService } from './app.ts'

export type Organization = {
  readonly id: string
  readonly slug: string
  readonly ownerUserId: string
  readonly liveKey: string
  readonly testKey: string
}

let made = 0

export function unique(word: string): string {
  made += 1
  return `${word}-${made}-${crypto.randomUUID().slice(0, 8)}`
}

/** A new organization with a live and a test key, on the largest plan unless told otherwise. */
export async function createOrganization(options: OrganizationOptions = {}): Promise<Organization> {
  const ownerUserId = unique('owner')
  const name = unique('Acme')
  const tier = options.tier ?? 'scale'
  const input = { name, owner_user_id: ownerUserId, timezone: options.timezone ?? 'UTC' }
  if (shardsOf(env).length > 1)
    return createInSomeShard(ownerUserId, { ...input, owner_email: options.ownerEmail }, tier)
  const slug = name.toLowerCase()
  const row = newOrganization(0, Date.now() as AskedMs, slug, input)
  const { id, createdAt, updatedAt } = row
  const db = openDb(env, 'decide')
  const keys = await newKeys(id)
  const origin = { actorType: 'service', actorId: null, ipAddress: null, requestId: null } as const
  // As the calls would leave them but for the log: nearly every test begins with these, and a call costs three times as much.
  await db.batch([
    insertOrganization(db, row),
    insertMember(db, {
      id: newId(id),
      organizationId: id,
      userId: ownerUserId,
      userEmail: options.ownerEmail ?? '',
      role: 'owner',
      createdAt,
      updatedAt,
    }),
    recordActivity(db, { organizationId: id, isTest: false }, origin, {
      action: 'organization.created',
      resourceType: 'organization',
      resourceId: id,
      changes: { name, slug },
    }),
    // Its version moves with that.
    db.update(organizations).set({ tier }).where(eq(organizations.id, id)),
    ...keys.rows.map((key) => insertKey(db, key)),
  ])
  return { id, slug, ownerUserId, liveKey: keys.live, testKey: keys.test }
}

export type OrganizationOptions = { tier?: Tier; timezone?: string; ownerEmail?: string }

type Tier = (typeof organizations.$inferSelect)['tier']

/** Which database it goes to, the service decides. */
async function createInSomeShard(ownerUserId: string, input: object, tier: Tier): Promise<Organization> {
  const { body } = await callAsService('POST', '/v1/organizations', { body: input })
  const db = openDb(homeOf(env, body.id), 'decide')
  const keys = await newKeys(body.id)
  await db.batch([
    db.update(organizations).set({ tier }).where(eq(organizations.id, body.id)),
    ...keys.rows.map((key) => insertKey(db, key)),
  ])
  return { id: body.id, slug: body.slug, ownerUserId, liveKey: keys.live, testKey: keys.test }
}

async function newKeys(organizationId: string) {
  const shard = shardOf(organizationId)
  const [live, test] = [newApiKey('live', shard), newApiKey('test', shard)]
  const rows = [await keyRow(organizationId, live, false), await keyRow(organizationId, test, true)]
  return { live, test, rows }
}

async function keyRow(organizationId: string, key: string, isTest: boolean): Promise<ApiKeyRow> {
  return {
    id: newId(organizationId),
    organizationId,
    isTest,
    memberId: null,
    role: 'owner',
    name: 'test key',
    description: null,
    hash: await sha256(key),
    keyPrefix: key.slice(0, 12),
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    createdAt: Date.now(),
  }
}

/** One whose people may be sent back to `host`. */
export async function organizationBackTo(host: string): Promise<Organization> {
  const organization = await createOrganization()
  await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
    body: { allowed_redirect_hosts: [host] },
  })
  return organization
}

export async function createKey(
  organizationId: string,
  mode: 'live' | 'test' = 'live',
  input: Record<string, unknown> = {},
  userId?: string,
): Promise<{ id: string; key: string }> {
  const { body } = await callAsService('POST', '/v1/api-keys', {
    headers: {
      'X-Org-Id': organizationId,
      'X-Service-Mode': mode,
      ...(userId !== undefined && { 'X-User-Id': userId }),
    },
    body: { name: 'test key', ...input },
  })
  return body
}

export const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

/** A new event type, open around the clock in UTC unless `rules` say otherwise. */
export async function createEventType(
  key: string,
  input: Record<string, unknown> = {},
  rules: readonly Rule[] = ALL_DAY,
): Promise<any> {
  const { status, body } = await call('POST', '/v1/event-types', {
    key,
    body: { title: 'Intro call', slug: unique('intro'), duration_minutes: 30, ...input },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  await setHours(body.id, rules)
  return body
}

export type Rule = (typeof ALL_DAY)[number]

/** As `PUT …/availability` leaves them but for the log, and without a turn: nobody asked about the event type before. */
async function setHours(eventTypeId: string, rules: readonly Rule[]): Promise<void> {
  const now = Date.now()
  const db = openDb(homeOf(env, eventTypeId), 'decide')
  const rows = ruleRows(eventTypeId, RulesInput.parse(rules), now)
  await db.batch([takeOwnHours(db, eventTypeId, undefined, now), ...replaceRules(db, eventTypeId, rows)])
}

const DAY_MS = 86_400_000

/** Midnight UTC, that many days from today. */
export function dayFromNow(days: number): number {
  return Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS
}

export function iso(instant: number): string {
  return new Date(instant).toISOString()
}

export function dateOf(instant: number): string {
  return iso(instant).slice(0, 10)
}

export function bookingInput(eventTypeId: string, start: number, input: Record<string, unknown> = {}) {
  return {
    event_type_id: eventTypeId,
    start_time: iso(start),
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
    ...input,
  }
}

/** Books as the public does. */
export function book(eventTypeId: string, start: number, input: Record<string, unknown> = {}) {
  return call('POST', '/v1/bookings', { body: bookingInput(eventTypeId, start, input) })
}

/** The same as somebody whom no limit has counted yet. */
export function bookAsAnother(eventTypeId: string, start: number, input: Record<string, unknown> = {}) {
  return book(eventTypeId, start, { invitee_email: `${unique('ada')}@example.com`, ...input })
}

export async function openStarts(
  eventTypeId: string,
  first: number,
  last = first,
  query = '',
): Promise<string[]> {
  const { body } = await call(
    'GET',
    `/v1/availability?event_type_id=${eventTypeId}&start=${dateOf(first)}&end=${dateOf(last)}&timezone=UTC${query}`,
  )
  return body.slots.map((slot: { start_time: string }) => slot.start_time)
}
