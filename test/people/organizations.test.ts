import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createFetch } from '../../src/platform/http/router.ts'
import { rooms } from '../../src/routes.ts'
import { call, callAsService, type Json } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, unique } from '../support/factories.ts'
import { userWithRole } from '../support/members.ts'
import { everythingOf } from '../support/rows.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function create(body: Json) {
  return callAsService('POST', '/v1/organizations', { body: { owner_user_id: unique('owner'), ...body } })
}

function patch(id: string, body: Json) {
  return callAsService('PATCH', `/v1/organizations/${id}`, { body })
}

function ofOwner(ownerUserId: string) {
  return callAsService('GET', `/v1/organizations?owner_user_id=${encodeURIComponent(ownerUserId)}`)
}

function rowOf(id: string): Promise<Json | null> {
  return env.DB.prepare('SELECT * FROM organizations WHERE id = ?').bind(id).first()
}

/** Its rows without its keys and names, and without what says when and by which call it was made. */
async function beginningOf(id: string) {
  const { api_keys: _, logged_addresses: __, ...tables } = await everythingOf({ id })
  const isOwn = (column: string) => /^(id|name|slug|changes|ip_address|request_id)$|_(id|at)$/.test(column)
  return Object.entries(tables).map(([name, rows]) => [
    name,
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !isOwn(column)))),
  ])
}

describe('a new organization', () => {
  it('has exactly the fields of an organization', async () => {
    const owner_user_id = unique('owner')
    const slug = unique('slug')
    const { status, body } = await create({ name: 'Acme', owner_user_id, slug })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      name: 'Acme',
      slug,
      owner_user_id,
      default_calendar_connection_id: null,
      timezone: 'UTC',
      locale: 'en',
      invitee_emails: 'all',
      calendar_moves: 'ask',
      public_limits: expect.any(Object),
      plan_limits: expect.any(Object),
      region: null,
      onboarding_completed_at: null,
      allowed_redirect_hosts: [new URL(env.PUBLIC_URL).host],
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: body.created_at,
    })
    expect(await rowOf(body.id)).toMatchObject({ tier: 'free', timezone: 'UTC', suspended_at: null })
  })

  it('keeps the other given values, and has its owner as a member', async () => {
    const owner_user_id = unique('owner')
    const { body } = await create({
      name: 'Acme',
      owner_user_id,
      owner_email: 'ada@example.com',
      onboarding_persona: 'team_lead',
      timezone: 'Europe/Berlin',
      locale: 'de-AT',
    })
    expect(await rowOf(body.id)).toMatchObject({
      timezone: 'Europe/Berlin',
      locale: 'de-AT',
      onboarding_persona: 'team_lead',
    })
    const members = await env.DB.prepare('SELECT * FROM members WHERE organization_id = ?')
      .bind(body.id)
      .all()
    expect(members.results).toHaveLength(1)
    expect(members.results[0]).toMatchObject({
      user_id: owner_user_id,
      user_email: 'ada@example.com',
      role: 'owner',
    })
  })

  it('leaves the rows that other tests begin with, but for the keys and the log', async () => {
    const called = await create({ name: 'Acme' })
    await env.DB.prepare("UPDATE organizations SET tier = 'scale' WHERE id = ?").bind(called.body.id).run()
    const begun = await createOrganization()
    expect(await beginningOf(begun.id)).toEqual(await beginningOf(called.body.id))
  })

  it('has an owner without an email if none is given', async () => {
    const { body } = await create({ name: 'Acme' })
    const email = await env.DB.prepare('SELECT user_email FROM members WHERE organization_id = ?')
      .bind(body.id)
      .first('user_email')
    expect(email).toBe('')
  })

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(256)],
    ['name', null],
    ['owner_user_id', ''],
    ['owner_user_id', null],
    ['owner_user_id', 7],
    ['owner_user_id', 'no header names me\n'],
    ['owner_user_id', ' nor me'],
    ['owner_user_id', 'nor\u0000me'],
    ['slug', ''],
    ['slug', 'a'.repeat(64)],
    ['slug', 'Acme'],
    ['slug', 'a_b'],
    ['slug', null],
    ['owner_email', 'nope'],
    ['owner_email', ''],
    ['onboarding_persona', 'boss'],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+01:00'],
    ['locale', 'not a language'],
    ['timezone', 'x'.repeat(65)],
  ])('is refused with the %s %j', async (name, value) => {
    const owner_user_id = unique('owner')
    const { status, body } = await create({ name: 'Acme', owner_user_id, [name]: value })
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.error.details)).toEqual([name])
    expect((await ofOwner(owner_user_id)).status).toBe(404)
  })

  it('accepts names and slugs of one character and of the maximum length', async () => {
    const letter = crypto.randomUUID().replace(/-/g, '')
    for (const [name, slug] of [
      ['A', letter.slice(0, 1)],
      ['A'.repeat(255), letter.padEnd(63, '0')],
    ]) {
      const { status, body } = await create({ name: name!, slug: slug! })
      expect([status, body.name, body.slug]).toEqual([201, name, slug])
    }
  })
})

describe('many at once', () => {
  it('all get an organization of their own when they share a name', async () => {
    const name = unique('Popular')
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        callAsService('POST', '/v1/organizations', { body: { name, owner_user_id: unique('owner') } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(201))
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(25)
  })

  it('all change one organization, or get a conflict', async () => {
    const { id } = await createOrganization()
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        callAsService('PATCH', `/v1/organizations/${id}`, { body: { name: `Name ${at}` } }),
      ),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
  })
})

describe('the slug of a new organization', () => {
  it.each([
    ['Zoë & Söhne, Köln', 'zoe-sohne-koln'],
    ['  Spaces   everywhere  ', 'spaces-everywhere'],
    ['--Hyphens--', 'hyphens'],
    ['C3PO / R2D2', 'c3po-r2d2'],
  ])('is the name %j in slug form', async (name, slug) => {
    const { status, body } = await create({ name })
    expect([status, body.slug]).toEqual([201, slug])
  })

  it.each(['日本語', '!!!', '-'])('is a default word if the name %j has nothing for it', async (name) => {
    const { status, body } = await create({ name })
    expect(status).toBe(201)
    expect(body.slug).toMatch(/^organization(-\d+)?$/)
  })

  it('is numbered when it is taken', async () => {
    const name = `Acme ${unique('x')}`
    const slugs = []
    for (let at = 0; at < 4; at++) slugs.push((await create({ name })).body.slug)
    const [first] = slugs
    expect(slugs).toEqual([first, `${first}-2`, `${first}-3`, `${first}-4`])
  })

  it('is found when the name is as common as can be, without asking for each number', async () => {
    const base = unique('common')
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
       INSERT INTO organizations (id, name, slug, created_at, updated_at)
       SELECT ?1 || i, ?1, CASE i WHEN 1 THEN ?1 ELSE ?1 || '-' || i END, 1, 1 FROM n`,
    )
      .bind(base)
      .run()
    let queries = 0
    const DB = {
      withSession(constraint: D1SessionConstraint) {
        const session = env.DB.withSession(constraint)
        return {
          batch: session.batch.bind(session),
          prepare(query: string) {
            queries += 1
            return session.prepare(query)
          },
        }
      },
    }
    const request = new Request('https://holdfast.test/v1/organizations', {
      method: 'POST',
      headers: { Authorization: `Bearer ${env.SERVICE_KEY}` },
      body: JSON.stringify({ name: base, owner_user_id: unique('owner') }),
    })
    const response = await createFetch(rooms)(request, { ...env, DB } as unknown as typeof env)
    expect(response.status).toBe(201)
    const { slug } = await response.json<{ slug: string }>()
    expect(slug).toMatch(new RegExp(`^${base}-[a-z0-9-]+$`))
    expect(queries).toBeGreaterThan(0)
    expect(queries).toBeLessThan(40)
  })

  it('stays within 63 characters when it is numbered', async () => {
    const name = unique('x').padEnd(80, 'y')
    const slugs = []
    for (let at = 0; at < 3; at++) slugs.push((await create({ name })).body.slug)
    expect(slugs.map((slug) => slug.length)).toEqual([63, 63, 63])
    expect(slugs[2]).toBe(`${slugs[0].slice(0, 61)}-3`)
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9-]{1,63}$/)
  })

  it('is different for each of many created at once with one name', async () => {
    const name = unique('Rush')
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(8)
  })

  it('is refused when it is given and taken, and nothing is made', async () => {
    const { slug } = await createOrganization()
    const owner_user_id = unique('owner')
    const { status, body } = await create({ name: 'Acme', slug, owner_user_id })
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    expect((await ofOwner(owner_user_id)).status).toBe(404)
  })
})

describe('an owner', () => {
  it('owns one organization', async () => {
    const owner_user_id = unique('owner')
    expect((await create({ name: 'One', owner_user_id })).status).toBe(201)
    const second = await create({ name: 'Two', owner_user_id })
    expect([second.status, second.body.error.code]).toEqual([409, 'conflict'])
    expect((await ofOwner(owner_user_id)).body.name).toBe('One')
  })

  it('owns one organization, also when many requests come at once', async () => {
    const owner_user_id = unique('owner')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => create({ name: `Rush ${at}`, owner_user_id })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    const { results } = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?')
      .bind(owner_user_id)
      .all()
    expect(results).toHaveLength(1)
  })

  it('is the user on whose behalf the call is made, and nobody else', async () => {
    const owner_user_id = unique('owner')
    const make = (userId: string) =>
      callAsService('POST', '/v1/organizations', {
        headers: { 'X-User-Id': userId },
        body: { name: 'Acme', owner_user_id },
      })
    for (const userId of [unique('mallory'), '', owner_user_id.toUpperCase()]) {
      const { status, body } = await make(userId)
      expect([status, body.error.code]).toEqual([403, 'forbidden'])
    }
    expect((await ofOwner(owner_user_id)).status).toBe(404)
    expect((await make(owner_user_id)).status).toBe(201)
  })

  it('finds the organization', async () => {
    const owner_user_id = `auth0|ünique ${unique('owner')} & co`
    const { body } = await create({ name: 'Acme', owner_user_id })
    const found = await ofOwner(owner_user_id)
    expect([found.status, found.body]).toEqual([200, body])
    expect((await ofOwner(unique('nobody'))).status).toBe(404)
  })

  it.each(['', '?owner_user_id='])('must be named: %s', async (query) => {
    const { status, body } = await callAsService('GET', `/v1/organizations${query}`)
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.error.details)).toEqual(['owner_user_id'])
  })
})

describe('a change of an organization', () => {
  it('changes what was sent and nothing else', async () => {
    const { body: before } = await create({ name: 'Acme' })
    await new Promise((resolve) => setTimeout(resolve, 3))
    const slug = unique('renamed')
    const { status, body: after } = await patch(before.id, { name: 'Acme Ltd', slug })
    expect(status).toBe(200)
    expect(after).toEqual({ ...before, name: 'Acme Ltd', slug, updated_at: after.updated_at })
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect((await ofOwner(before.owner_user_id)).body).toEqual(after)
  })

  it.each([
    ['name', ''],
    ['name', null],
    ['name', 'x'.repeat(256)],
    ['slug', ''],
    ['slug', 'NO'],
    ['slug', null],
    ['default_calendar_connection_id', 'nope'],
    ['default_calendar_connection_id', 7],
    ['complete_onboarding', 'true'],
    ['mark_booking_link_shared', 1],
    ['mark_availability_confirmed', null],
    ['dismiss_checklist', 'yes'],
    ['mark_first_booking_celebrated', {}],
    ['tier', 'gold'],
    ['tier', null],
    ['suspended', 'no'],
    ['suspended', null],
    ['timezone', 'Mars/Olympus'],
    ['timezone', null],
  ])('is refused with the %s %j', async (name, value) => {
    const { body: before } = await create({ name: 'Acme' })
    const { status, body } = await patch(before.id, { [name]: value })
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.error.details)).toEqual([name])
    expect((await ofOwner(before.owner_user_id)).body).toEqual(before)
  })

  it('cannot take a slug that is taken, and may send its own', async () => {
    const { slug: taken } = await createOrganization()
    const { body: before } = await create({ name: 'Acme' })
    const refused = await patch(before.id, { slug: taken, name: 'Other' })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    expect((await ofOwner(before.owner_user_id)).body).toEqual(before)
    expect((await patch(before.id, { slug: before.slug })).status).toBe(200)
  })

  it('rejects an unknown calendar connection, and accepts null', async () => {
    const { body: before } = await create({ name: 'Acme' })
    const unknown = await patch(before.id, {
      default_calendar_connection_id: crypto.randomUUID(),
      name: 'Other',
    })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found'])
    expect((await ofOwner(before.owner_user_id)).body).toEqual(before)
    const cleared = await patch(before.id, { default_calendar_connection_id: null })
    expect([cleared.status, cleared.body.default_calendar_connection_id]).toEqual([200, null])
  })

  it.each([
    ['complete_onboarding', 'onboarding_completed_at'],
    ['mark_booking_link_shared', 'booking_link_shared_at'],
    ['mark_availability_confirmed', 'availability_confirmed_at'],
    ['dismiss_checklist', 'checklist_dismissed_at'],
    ['mark_first_booking_celebrated', 'first_booking_celebrated_at'],
  ])('sets the timestamp of %s once', async (flag, column) => {
    const { body } = await create({ name: 'Acme' })
    const read = async () => (await rowOf(body.id))![column]
    await patch(body.id, { [flag]: false })
    expect(await read()).toBeNull()
    const before = Date.now()
    await patch(body.id, { [flag]: true })
    const first = await read()
    expect(first).toBeGreaterThanOrEqual(before)
    await new Promise((resolve) => setTimeout(resolve, 3))
    await patch(body.id, { [flag]: true })
    await patch(body.id, { [flag]: false })
    await patch(body.id, { name: 'Other' })
    expect(await read()).toBe(first)
    const others = Object.entries((await rowOf(body.id))!).filter(
      ([name, value]) => name.endsWith('_at') && value !== null,
    )
    expect(others.map(([name]) => name).sort()).toEqual(['created_at', 'updated_at', column].sort())
  })

  it('shows when onboarding was completed', async () => {
    const { body } = await create({ name: 'Acme' })
    const { body: after } = await patch(body.id, { complete_onboarding: true })
    expect(after.onboarding_completed_at).toMatch(TIMESTAMP)
    expect((await ofOwner(body.owner_user_id)).body.onboarding_completed_at).toBe(
      after.onboarding_completed_at,
    )
  })

  it('sets the plan', async () => {
    const { body } = await create({ name: 'Acme' })
    for (const tier of ['starter', 'grow', 'scale', 'free']) {
      expect((await patch(body.id, { tier })).status).toBe(200)
      expect((await rowOf(body.id))!.tier).toBe(tier)
    }
  })

  it('keeps the first timestamp if many marks arrive at once', async () => {
    const { body } = await create({ name: 'Acme' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => patch(body.id, { complete_onboarding: true })),
    )
    const told = answers.map((answer) => answer.body.onboarding_completed_at)
    const kept = (await ofOwner(body.owner_user_id)).body.onboarding_completed_at
    expect(kept).toBe([...told].sort()[0])
    expect(new Set(told)).toEqual(new Set([kept]))
  })

  it('loses nothing if two arrive at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { body } = await create({ name: 'Acme' })
      const slug = unique('both')
      await Promise.all([
        patch(body.id, { name: 'Both' }),
        patch(body.id, { slug }),
        patch(body.id, { tier: 'grow' }),
        patch(body.id, { dismiss_checklist: true }),
      ])
      expect(await rowOf(body.id)).toMatchObject({
        name: 'Both',
        slug,
        tier: 'grow',
        checklist_dismissed_at: expect.any(Number),
      })
    }
  })

  it('sets a region that Cloudflare knows', async () => {
    const { body } = await create({ name: 'Acme' })
    for (const region of ['weur', 'apac-ne', null]) {
      expect((await patch(body.id, { region })).body.region).toBe(region)
      expect((await rowOf(body.id))!.region).toBe(region)
    }
    expect((await patch(body.id, { region: 'mars' })).status).toBe(400)
  })

  it("is allowed for its admins and owner only, and none of them can change the operator's fields", async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const as = (userId: string, body: Json) =>
      callAsService('PATCH', `/v1/organizations/${organization.id}`, {
        headers: { 'X-User-Id': userId },
        body,
      })
    const admin = await userWithRole(organization, 'admin')
    for (const userId of ['', 'stranger', neighbour.ownerUserId, await userWithRole(neighbour, 'admin')]) {
      const { status, body } = await as(userId, { name: 'Taken over' })
      expect([userId, status, body.error.code]).toEqual([userId, 403, 'forbidden'])
    }
    for (const userId of [organization.ownerUserId, admin]) {
      for (const body of [
        { tier: 'free' },
        { suspended: true },
        { name: 'Sly', suspended: false },
        { region: 'oc' },
      ]) {
        expect((await as(userId, body)).status).toBe(403)
      }
      expect((await as(userId, { name: `Ours, says ${userId}` })).status).toBe(200)
    }
    expect(await rowOf(organization.id)).toMatchObject({
      name: `Ours, says ${admin}`,
      tier: 'scale',
      suspended_at: null,
    })
    const { results } = await env.DB.prepare(
      "SELECT actor_id FROM activity WHERE organization_id = ? AND actor_type = 'user' ORDER BY id",
    )
      .bind(organization.id)
      .all()
    expect(results.map(({ actor_id }) => actor_id)).toEqual([organization.ownerUserId, admin])
  })

  it('leaves a trace', async () => {
    const { body } = await create({ name: 'Acme' })
    await patch(body.id, { name: 'Acme Ltd' })
    const { results } = await env.DB.prepare(
      'SELECT action, actor_type FROM activity WHERE organization_id = ? ORDER BY id',
    )
      .bind(body.id)
      .all()
    expect(results).toEqual([
      { action: 'organization.created', actor_type: 'service' },
      { action: 'organization.updated', actor_type: 'service' },
    ])
  })
})

describe('the allowed redirect hosts', () => {
  it('are the host of the service, those that are named, or none', async () => {
    const { id } = await createOrganization()
    const own = [new URL(env.PUBLIC_URL).host]
    const hosts = async (allowed_redirect_hosts?: unknown) => {
      const { status, body } = await patch(id, { allowed_redirect_hosts })
      return status === 200 ? body.allowed_redirect_hosts : Object.keys(body.error.details)
    }
    expect(await hosts()).toEqual(own)
    const named = ['app.example.com', 'localhost:3000', '127.0.0.1', 'xn--bcher-kva.example']
    expect(await hosts(['APP.example.com', ...named.slice(1)])).toEqual(named)
    const before = await rowOf(id)
    expect(await hosts(named)).toEqual(named)
    expect(await rowOf(id)).toEqual(before)
    expect(await hosts([])).toEqual([])
    expect(await hosts(null)).toEqual(own)
  })

  it('are host names, twenty at most', async () => {
    const { id } = await createOrganization()
    for (const wrong of [
      'https://app.example.com',
      'app.example.com/done',
      'app.example.com:8443',
      'user@app.example.com',
      '*.example.com',
      'app.example.com.',
      '.example.com',
      'a..example.com',
      'intern',
      'printer.local',
      '10.0.0.1',
      '0x7f.1',
      '[::1]',
      'app.example.com;script-src *',
      'localhost:99999',
      'localhost:',
      ' ',
    ]) {
      const { status, body } = await patch(id, { allowed_redirect_hosts: ['a.example.com', wrong] })
      expect([wrong, status, Object.keys(body.error?.details ?? {})]).toEqual([
        wrong,
        400,
        ['allowed_redirect_hosts.1'],
      ])
    }
    const many = Array.from({ length: 21 }, (_, at) => `a${at}.example.com`)
    expect((await patch(id, { allowed_redirect_hosts: many })).status).toBe(400)
    expect((await patch(id, { allowed_redirect_hosts: many.slice(1) })).status).toBe(200)
  })
})

describe('a suspended organization', () => {
  it('sends no invitations', async () => {
    const { id, liveKey: key } = await createOrganization()
    const invite = () =>
      call('POST', `/v1/organizations/${id}/invitations`, {
        key,
        body: { email: 'eve@example.com', role: 'viewer' },
      })
    await patch(id, { suspended: true })
    const refused = await invite()
    expect([refused.status, refused.body.error.code]).toEqual([403, 'org_suspended'])
    await patch(id, { suspended: false })
    expect((await invite()).status).toBe(201)
  })

  it('takes no bookings and shows no pages until it is reinstated', async () => {
    const { id, slug, liveKey: key } = await createOrganization()
    const eventType = await createEventType(key, { booking_page_enabled: true })
    const kept = await book(eventType.id, dayFromNow(2))
    await patch(id, { suspended: true })
    const suspendedAt = (await rowOf(id))!.suspended_at
    await patch(id, { suspended: true })
    expect((await rowOf(id))!.suspended_at).toBe(suspendedAt)

    const refused = await book(eventType.id, dayFromNow(3))
    expect([refused.status, refused.body.error.code]).toEqual([403, 'org_suspended'])
    for (const path of [slug, `${slug}/${eventType.slug}`]) {
      const page = await call('GET', `/v1/public/booking-page/${path}`)
      expect([page.status, page.body.available]).toEqual([200, false])
    }
    expect((await call('GET', '/v1/event-types', { key })).status).toBe(200)
    const moved = await call('POST', `/v1/bookings/${kept.body.id}/reschedule`, {
      key,
      body: { new_start_time: new Date(dayFromNow(4)).toISOString() },
    })
    expect(moved.status).toBe(200)
    const cancelled = await call(
      'POST',
      `/v1/bookings/${kept.body.id}/cancel?token=${kept.body.cancel_token}`,
    )
    expect(cancelled.status).toBe(200)

    await patch(id, { suspended: false })
    expect((await rowOf(id))!.suspended_at).toBeNull()
    expect((await book(eventType.id, dayFromNow(3))).status).toBe(201)
    expect((await call('GET', `/v1/public/booking-page/${slug}`)).body.available).toBe(true)
  })
})
