import { env } from 'cloudflare:workers'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { newId, newIdIn, shardOf } from '../../src/platform/db/ids.ts'
import { createFetch } from '../../src/platform/http/router.ts'
import { rooms } from '../../src/routes.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService, freshAddress } from '../support/app.ts'
import { googleHeaders, insertChannel } from '../support/channels.ts'
import { insertConnection } from '../support/connections.ts'
import { enter, signIn } from '../support/console.ts'
import { deleteToTheEnd } from '../support/deletions.ts'
import {
  book,
  bookAsAnother,
  bookingInput,
  createEventType,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
  openStarts,
  unique,
} from '../support/factories.ts'
import { formOf, visit, wordsOf } from '../support/pages.ts'
import { bookPaid, connectAccount, pay } from '../support/payments.ts'
import { bindShards, databaseOf, makeSmallest, organizationIn } from '../support/shards.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const LATER = SLOT + 2 * HOUR_MS
const NOBODY = dayFromNow(0)

let homes: readonly Organization[]

beforeAll(async () => {
  await bindShards()
  homes = [await organizationIn(0), await organizationIn(1), await organizationIn(2)]
})

async function countIn(shard: number, table: string, id: string): Promise<number> {
  const select = databaseOf(shard).prepare(`SELECT count(*) AS n FROM ${table} WHERE id = ?`)
  return (await select.bind(id).first<number>('n'))!
}

/** The same id as if it led elsewhere. */
function forged(id: string, shard: number): string {
  const digits = [...id]
  digits[14] = shard === 0 ? '7' : '8'
  if (shard > 0) digits[20] = shard.toString(16)
  return digits.join('')
}

const byToken = ({ id, cancel_token }: any, verb = '') =>
  `/v1/bookings/${id}${verb}?token=${encodeURIComponent(cancel_token)}`

describe.each([0, 1, 2])('an organization in database %i', (shard) => {
  it('is booked, moved and cancelled by people, and read with its keys, by ids that lead there', async () => {
    const { liveKey: key } = homes[shard]!
    const eventType = await createEventType(key)
    const { body: booking } = await book(eventType.id, SLOT)
    expect([shardOf(eventType.id), shardOf(booking.id)]).toEqual([shard, shard])
    const found = await Promise.all([0, 1, 2].map((each) => countIn(each, 'bookings', booking.id)))
    expect(found).toEqual([0, 1, 2].map((each) => Number(each === shard)))
    expect((await book(eventType.id, SLOT)).status).toBe(409)
    const moved = await call('POST', byToken(booking, '/reschedule'), {
      body: { new_start_time: iso(LATER) },
    })
    expect([moved.status, moved.body.start_time]).toEqual([200, iso(LATER)])
    expect((await call('GET', byToken(booking))).body.status).toBe('rescheduled')
    expect((await call('GET', `/v1/bookings/${booking.id}`, { key })).body.id).toBe(booking.id)
    expect(await openStarts(eventType.id, SLOT)).toContain(iso(SLOT))
    expect((await call('POST', byToken(booking, '/cancel'))).status).toBe(200)
    expect((await call('GET', '/v1/bookings', { key })).body.data).toMatchObject([{ status: 'cancelled' }])
  })

  it('answers an Idempotency-Key as at first, of the public and of a key', async () => {
    const { liveKey: key } = homes[shard]!
    const { id } = await createEventType(key)
    const headers = { 'Idempotency-Key': unique('key') }
    const body = bookingInput(id, SLOT)
    const [first, again] = [
      await call('POST', '/v1/bookings', { body, headers }),
      await call('POST', '/v1/bookings', { body, headers }),
    ]
    expect([first.status, again.body.id]).toEqual([201, first.body.id])
    const input = { title: 'Twice', slug: unique('twice'), duration_minutes: 30 }
    const made = await call('POST', '/v1/event-types', { key, body: input, headers })
    expect((await call('POST', '/v1/event-types', { key, body: input, headers })).body.id).toBe(made.body.id)
  })

  it('holds a time, and confirms it', async () => {
    const { id } = await createEventType(homes[shard]!.liveKey)
    const { body: hold } = await call('POST', '/v1/holds', {
      body: { event_type_id: id, start_time: iso(SLOT) },
    })
    expect(shardOf(hold.id)).toBe(shard)
    const path = `/v1/holds/${hold.id}/confirm`
    const people = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const confirmed = await call('POST', path, {
      body: people,
      headers: { Authorization: `Bearer ${hold.token}` },
    })
    expect([confirmed.status, confirmed.body.start_time]).toEqual([201, iso(SLOT)])
  })

  it('promotes waitlist entries when somebody cancels', async () => {
    const { liveKey: key } = homes[shard]!
    const { id } = await createEventType(key, { waitlist_enabled: true })
    const { body: booking } = await book(id, SLOT)
    const joined = await call('POST', '/v1/waitlist', {
      body: {
        event_type_id: id,
        invitee_name: 'Grace',
        invitee_email: 'grace@example.com',
        start_time: iso(SLOT),
      },
    })
    expect([joined.status, shardOf(joined.body.id)]).toEqual([201, shard])
    await call('POST', byToken(booking, '/cancel'))
    await vi.waitFor(async () => {
      const { body } = await call('GET', `/v1/bookings?event_type_id=${id}&status=confirmed`, { key })
      expect(body.data).toMatchObject([{ invitee_email: 'grace@example.com' }])
    })
  })

  it('notifies its webhooks', async () => {
    const { liveKey: key } = homes[shard]!
    const url = `${inject('receiver')}/${unique('hook')}`
    const request = new Request('https://holdfast.test/v1/webhooks', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'CF-Connecting-IP': freshAddress(),
      },
      body: JSON.stringify({ url, events: ['booking.created'] }),
    })
    Object.assign(env, { ALLOW_PRIVATE_HOSTS: 'true' })
    expect((await createFetch(rooms)(request, env)).status).toBe(201)
    const { id } = await createEventType(key)
    await book(id, SLOT)
    await vi.waitFor(
      async () => {
        const { body } = await call('GET', '/v1/webhooks', { key })
        const list = await call('GET', `/v1/webhooks/${body.data[0].id}/deliveries`, { key })
        const told = list.body.data.filter(({ payload }: any) => payload.data.event_type_id === id)
        expect(told).toMatchObject([{ status: 'success' }])
      },
      { timeout: 10_000, interval: 50 },
    )
    Object.assign(env, { ALLOW_PRIVATE_HOSTS: 'false' })
  })

  it('gets what the payment provider reports about a payment', async () => {
    const organization = await organizationIn(shard)
    await connectAccount(organization)
    const { id } = await createEventType(organization.liveKey, { price_amount: 5_000 })
    const paid = await bookPaid(id, SLOT)
    await pay(paid.intentId)
    const { body } = await call('GET', `/v1/bookings/${paid.id}`, { key: organization.liveKey })
    expect([shardOf(paid.id), body.status]).toEqual([shard, 'confirmed'])
  })

  it('is notified of a change in a calendar by the secret of its channel', async () => {
    const connectionId = await insertConnection(homes[shard]!, 'live', { provider: 'calendar_a' })
    const { id, secret } = await insertChannel(connectionId, 'calendar_a')
    const told: string[] = []
    const own = Object.create(env, {
      ACCOUNTS: { value: { getByName: () => ({ notified: async (of: string) => void told.push(of) }) } },
    })
    const request = new Request('https://holdfast.test/v1/calendars/calendar_a/notifications', {
      method: 'POST',
      headers: { 'CF-Connecting-IP': freshAddress(), ...googleHeaders(id, secret) },
    })
    expect((await createFetch(rooms)(request, own)).status).toBe(204)
    expect([shardOf(connectionId), told]).toEqual([shard, [connectionId]])
  })

  it('shows its pages by its slug, and takes a booking there', async () => {
    const { slug, liveKey: key } = homes[shard]!
    const eventType = await createEventType(key, { title: `Call of ${shard}`, booking_page_enabled: true })
    expect(wordsOf(await visit(`/book/${slug}`))).toContain(`Call of ${shard}`)
    const api = await call('GET', `/v1/public/booking-page/${slug}/${eventType.slug}`)
    expect(api.body.event_type.id).toBe(eventType.id)
    const path = `/book/${slug}/${eventType.slug}?tz=UTC&time=${iso(SLOT)}`
    const form = formOf(await visit(path), '/book/')
    const sent = await visit(form.action, { form: { ...form.fields, name: 'Ada', email: 'ada@example.com' } })
    expect(sent.status).toBe(303)
    const { pathname, search } = new URL(sent.headers.get('location')!, 'https://holdfast.test')
    expect((await visit(pathname + search)).status).toBe(200)
    expect((await call('GET', `/v1/bookings?event_type_id=${eventType.id}`, { key })).body.data).toHaveLength(
      1,
    )
  })

  it('gives a calendar feed by an address that leads there', async () => {
    const { liveKey: key } = homes[shard]!
    const { body } = await call('POST', '/v1/calendar-feeds', { key, body: {} })
    const { pathname } = new URL(body.url)
    const feed = await visit(pathname)
    expect([feed.status, feed.text.slice(0, 15)]).toEqual([200, 'BEGIN:VCALENDAR'])
  })

  it('takes in whom it invited, by the link of the email', async () => {
    const { id, liveKey: key } = homes[shard]!
    const email = `${unique('guest')}@example.com`
    const invited = await callAsService('POST', `/v1/organizations/${id}/invitations`, {
      headers: { 'X-Org-Id': id },
      body: { email, role: 'member' },
    })
    const path = `/invitations?token=${invited.body.token}`
    expect((await visit(path)).status).toBe(200)
    expect((await visit('/invitations', { form: { token: invited.body.token } })).status).toBe(303)
    const { body } = await call('GET', `/v1/organizations/${id}/members`, { key })
    expect(body.data.map((member: any) => member.user_email)).toContain(email)
  })

  it('takes in whom it invited, by the service key and the token alone', async () => {
    const { id } = homes[shard]!
    const email = `${unique('guest')}@example.com`
    const headers = { 'X-Org-Id': id }
    const made = await callAsService('POST', `/v1/organizations/${id}/invitations`, {
      headers,
      body: { email, role: 'viewer' },
    })
    const body = { token: made.body.token, user_id: unique('user'), user_email: email }
    const accepted = await callAsService('POST', '/v1/invitations/accept', {
      body,
      headers: { 'Idempotency-Key': made.body.id },
    })
    expect([accepted.status, shardOf(accepted.body.id)]).toEqual([200, shard])
    const again = await callAsService('POST', '/v1/invitations/accept', {
      body,
      headers: { 'Idempotency-Key': made.body.id },
    })
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true'])
  })

  it('lets its owner into the console by a link, and is asked there what it has', async () => {
    const eventType = await createEventType(homes[shard]!.liveKey, { title: `Seen in ${shard}` })
    const browser = await enter(homes[shard]!)
    expect(wordsOf(await browser.visit('/console/event-types'))).toContain(eventType.title)
  })
})

describe('what leads to a database', () => {
  it('is 404 if it is forged, for everything that the public may request', async () => {
    const organization = await organizationIn(1)
    const eventType = await createEventType(organization.liveKey, { waitlist_enabled: true })
    const { body: booking } = await book(eventType.id, SLOT)
    for (const shard of [0, 2, 3, 15]) {
      const [event, booked] = [forged(eventType.id, shard), forged(booking.id, shard)]
      const token = `?token=${booking.cancel_token}`
      const range = `start=${dateOf(NOBODY)}&end=${dateOf(NOBODY)}&timezone=UTC`
      const asked = [
        await call('GET', `/v1/availability?event_type_id=${event}&${range}`),
        await call('GET', `/v1/public/event-types/${event}`),
        await bookAsAnother(event, LATER),
        await call('GET', `/v1/bookings/${booked}${token}`),
        await call('POST', `/v1/bookings/${booked}/cancel${token}`),
        await call('POST', `/v1/bookings/${booked}/reschedule${token}`, {
          body: { new_start_time: iso(LATER) },
        }),
        await call('POST', `/v1/waitlist/${booked}/cancel${token}`),
        await call('POST', '/v1/holds', { body: { event_type_id: event, start_time: iso(LATER) } }),
        await call('GET', `/v1/bookings/${booked}`, { key: organization.liveKey }),
        await callAsService('GET', '/v1/event-types', {
          headers: { 'X-Org-Id': forged(organization.id, shard) },
        }),
      ]
      expect([shard, asked.map(({ status }) => status)]).toEqual([shard, asked.map(() => 404)])
      expect((await visit(`/bookings/${booked}${token}`)).status).toBe(404)
    }
  })

  it('is refused if it is a key that was changed to lead elsewhere', async () => {
    const { liveKey } = homes[1]!
    const secret = `${liveKey.slice(0, 50)}${'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[(2 << 2) | 1]}`
    const key = secret + checksumOf(secret)
    expect((await call('GET', '/v1/event-types', { key: liveKey })).status).toBe(200)
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(401)
  })

  it('opens nothing of another organization in another database', async () => {
    const theirs = await createEventType(homes[2]!.liveKey)
    const { body: booking } = await book(theirs.id, LATER)
    const key = homes[1]!.liveKey
    const asked = await Promise.all([
      call('GET', `/v1/event-types/${theirs.id}`, { key }),
      call('PATCH', `/v1/event-types/${theirs.id}`, { key, body: { title: 'Mine' } }),
      call('GET', `/v1/bookings/${booking.id}`, { key }),
      call('POST', `/v1/bookings/${booking.id}/cancel`, { key }),
      call('GET', `/v1/organizations/${homes[2]!.id}/members`, { key }),
    ])
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  })

  it('is what it was before for what is in the directory', () => {
    expect(newId(homes[0]!.id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(newIdIn(15)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]f/)
    expect(shardOf(newId(newIdIn(15)).toUpperCase())).toBe(15)
  })

  it('searches the times of event types in several databases together', async () => {
    const made = await Promise.all(homes.map(({ liveKey }) => createEventType(liveKey)))
    const ids = made.map(({ id }) => id)
    const query = `event_type_ids=${ids.join(',')}&from=${dateOf(SLOT)}&to=${dateOf(SLOT + 24 * HOUR_MS)}&timezone=UTC&limit=3`
    const { body } = await call('GET', `/v1/availability/search?${query}`)
    expect(body.data.map((found: any) => found.event_type_id)).toEqual(ids)
  })
})

function checksumOf(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let [rest, told] = [crc32(text), '']
  for (let at = 0; at < 6; at++) [told, rest] = [digits[rest % 62] + told, Math.floor(rest / 62)]
  return told
}

describe('what only one organization may have', () => {
  it.each([
    [0, 1],
    [1, 0],
    [1, 2],
  ])('is refused to one in %i if one in %i has it', async (mine, theirs) => {
    const other = await organizationIn(theirs)
    await makeSmallest(mine)
    const body = { name: 'Second', owner_user_id: unique('owner'), slug: other.slug }
    const slug = await callAsService('POST', '/v1/organizations', { body })
    const { slug: _slug, ...rest } = body
    const owner = await callAsService('POST', '/v1/organizations', {
      body: { ...rest, owner_user_id: other.ownerUserId },
    })
    expect([slug.status, owner.status]).toEqual([409, 409])
    const own = await organizationIn(mine)
    const renamed = await callAsService('PATCH', `/v1/organizations/${own.id}`, {
      body: { slug: other.slug },
    })
    expect(renamed.status).toBe(409)
    // What was claimed and refused is nobody's.
    expect((await callAsService('POST', '/v1/organizations', { body: rest })).status).toBe(201)
  })

  it('is numbered over all databases if a name gives it', async () => {
    const name = unique('Same Name')
    const slugs: string[] = []
    for (const shard of [1, 0, 2]) {
      await makeSmallest(shard)
      const { body } = await callAsService('POST', '/v1/organizations', {
        body: { name, owner_user_id: unique('owner') },
      })
      expect(shardOf(body.id)).toBe(shard)
      slugs.push(body.slug)
    }
    expect(slugs.map((slug) => slug.slice(slugs[0]!.length))).toEqual(['', '-2', '-3'])
  })

  it('is free again some time after it was given up, and found under its new name at once', async () => {
    const own = await organizationIn(1)
    const slug = unique('new-name')
    await callAsService('PATCH', `/v1/organizations/${own.id}`, { body: { slug } })
    expect((await visit(`/book/${slug}`)).status).toBe(200)
    const hasNames = async () => {
      const { results } = await env.DB.prepare(
        'SELECT name, unsure_since FROM names WHERE organization_id = ? AND kind = ?',
      )
        .bind(own.id, 'slug')
        .all()
      return results
    }
    expect(await hasNames()).toHaveLength(2)
    await sweep(env, Date.now() + 11 * 60_000)
    expect(await hasNames()).toEqual([{ name: slug, unsure_since: null }])
  })

  it('is free again once its organization is deleted, as its owner is', async () => {
    const own = await organizationIn(2)
    await callAsService('DELETE', `/v1/operator/organizations/${own.id}?grace_days=0`)
    await deleteToTheEnd(own.id)
    const left = env.DB.prepare('SELECT count(*) AS n FROM names WHERE organization_id = ?').bind(own.id)
    expect(await left.first('n')).toBe(0)
    const again = { name: 'Acme', slug: own.slug, owner_user_id: own.ownerUserId }
    expect((await callAsService('POST', '/v1/organizations', { body: again })).status).toBe(201)
  })

  it('is made once with one Idempotency-Key, wherever the next one would go', async () => {
    const body = { name: unique('Once'), owner_user_id: unique('owner') }
    const headers = { 'Idempotency-Key': unique('key') }
    await makeSmallest(1)
    const first = await callAsService('POST', '/v1/organizations', { body, headers })
    await makeSmallest(2)
    const again = await callAsService('POST', '/v1/organizations', { body, headers })
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
    const other = await callAsService('POST', '/v1/organizations', {
      body: { ...body, name: 'Other' },
      headers,
    })
    expect(other.status).toBe(409)
  })
})

describe('somebody in organizations of several databases', () => {
  it('signs in once, chooses among them, and works in each', async () => {
    const email = `${unique('both')}@example.com`
    const own = [
      await organizationIn(1, { ownerEmail: email }),
      await organizationIn(2, { ownerEmail: email }),
    ]
    const titles = ['Of the first', 'Of the second']
    for (const [at, { liveKey }] of own.entries()) await createEventType(liveKey, { title: titles[at]! })
    const browser = await signIn(email)
    const choice = await browser.visit('/console/organizations')
    for (const [at, { id }] of own.entries()) {
      expect(
        (await browser.send(await browser.visit('/console/organizations'), '/console/organizations', {}, id))
          .status,
      ).toBe(303)
      const seen = wordsOf(await browser.visit('/console/event-types'))
      expect(titles.map((title) => seen.includes(title))).toEqual(titles.map((_, other) => other === at))
    }
    expect(choice.text).toContain(own[0]!.id)
    const activity = await Promise.all(
      own.map(({ liveKey: key }) => call('GET', '/v1/activity?action=member.signed_in', { key })),
    )
    expect(activity.map(({ body }) => body.data.length)).toEqual([1, 1])
    const sessions = await browser.visit('/console/settings/sessions')
    expect(sessions.status).toBe(200)
    await browser.send(sessions, '/console/sign-out')
    expect((await browser.visit('/console/event-types')).headers.get('location')).toContain(
      '/console/sign-in',
    )
  })

  it('gets a list of all of them, the newest first', async () => {
    const userId = unique('user')
    const own = [homes[1]!, homes[0]!, homes[2]!]
    for (const { id } of own) {
      const email = `${unique('guest')}@example.com`
      const { body } = await callAsService('POST', `/v1/organizations/${id}/invitations`, {
        headers: { 'X-Org-Id': id },
        body: { email, role: 'member' },
      })
      await callAsService('POST', '/v1/invitations/accept', {
        body: { token: body.token, user_id: userId, user_email: email },
      })
    }
    const { body } = await callAsService('GET', '/v1/me/organizations', { headers: { 'X-User-Id': userId } })
    expect(body.data.map(({ id }: any) => id)).toEqual(homes.map(({ id }) => id).reverse())
    const owner = await callAsService('GET', `/v1/organizations?owner_user_id=${homes[2]!.ownerUserId}`)
    expect(owner.body.id).toBe(homes[2]!.id)
  })
})

describe('operators', () => {
  it('get the health of every database', async () => {
    const { body } = await callAsService('GET', '/v1/operator/health')
    expect(body.databases.map(({ name }: any) => name)).toEqual(['DB', 'DB_1', 'DB_2'])
  })
})
