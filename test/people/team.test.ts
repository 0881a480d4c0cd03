import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { OrganizationSummary } from '../../src/people/organizations/schema.ts'
import { Invitation, Member } from '../../src/people/team/schema.ts'
import { unseal } from '../../src/platform/auth/secret.ts'
import { type Call, call, callAsService } from '../support/app.ts'
import { databaseThrough } from '../support/database-through.ts'
import { createKey, createOrganization, type Organization, unique } from '../support/factories.ts'
import { insertSchedule } from '../support/hours.ts'
import { serviceWith } from '../support/service-with.ts'

const DAY_MS = 86_400_000
const NOWHERE = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'

function emailOf(userId: string): string {
  return `${userId}@example.com`
}

/** The service key, for this organization and, where given, on behalf of somebody. */
function asService(
  organization: { id: string },
  method: string,
  path: string,
  options: Call & { user?: string; mode?: string } = {},
) {
  const { user, mode, ...rest } = options
  return callAsService(method, `/v1/organizations/${organization.id}${path}`, {
    ...rest,
    headers: {
      'X-Org-Id': organization.id,
      ...(user !== undefined && { 'X-User-Id': user }),
      ...(mode !== undefined && { 'X-Service-Mode': mode }),
      ...rest.headers,
    },
  })
}

/** The invited address, by token. */
const invited = new Map<string, string>()

async function invite(organization: { id: string }, email: string, role = 'member', options: Call = {}) {
  const answer = await asService(organization, 'POST', '/invitations', { body: { email, role }, ...options })
  invited.set(answer.body.token, email)
  return answer
}

function accept(
  token: string,
  userId: string,
  options: Call = {},
  email = invited.get(token) ?? emailOf(userId),
) {
  const body = { token, user_id: userId, user_email: email }
  return options.key
    ? call('POST', '/v1/invitations/accept', { body, ...options })
    : callAsService('POST', '/v1/invitations/accept', { body, ...options })
}

async function join(organization: { id: string }, role: string): Promise<Member> {
  const userId = unique(role)
  const { body } = await invite(organization, emailOf(userId), role)
  const { status, body: member } = await accept(body.token, userId)
  if (status !== 200) throw new Error(JSON.stringify(member))
  return member
}

async function membersOf(organization: Organization): Promise<Member[]> {
  const { body } = await call('GET', `/v1/organizations/${organization.id}/members`, {
    key: organization.liveKey,
  })
  return body.data
}

async function ownerOf(organization: Organization): Promise<Member> {
  return (await membersOf(organization)).find(({ role }) => role === 'owner')!
}

async function pendingOf(organization: Organization): Promise<Invitation[]> {
  const { body } = await asService(organization, 'GET', '/invitations')
  return body.data
}

async function rowsOf(table: string, organizationId: string): Promise<Record<string, unknown>[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ? ORDER BY id`)
    .bind(organizationId)
    .all()
  return results
}

async function actionsOf(organizationId: string): Promise<unknown[]> {
  return (await rowsOf('activity', organizationId)).map(({ action }) => action)
}

/** Everything a refusal could have left behind. */
async function stateOf(organizationId: string) {
  const tables = ['members', 'invitations', 'activity', 'posted_letters', 'sandbox_outbox']
  return Promise.all(tables.map((table) => rowsOf(table, organizationId)))
}

function expire(invitationId: string) {
  return env.DB.prepare('UPDATE invitations SET expires_at = ? WHERE id = ?')
    .bind(Date.now() - 1, invitationId)
    .run()
}

function counted(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function parallel<T>(times: number, act: (at: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, at) => act(at)))
}

describe('members', () => {
  it('begin with the owner, with all fields', async () => {
    const organization = await createOrganization()
    const [owner, ...others] = await membersOf(organization)
    expect(others).toEqual([])
    expect(Member.parse(owner)).toEqual(owner)
    expect(owner).toMatchObject({
      organization_id: organization.id,
      user_id: organization.ownerUserId,
      user_email: '',
      role: 'owner',
      invited_by: '',
    })
    const { body } = await call('GET', `/v1/organizations/${organization.id}/members/${owner!.id}`, {
      key: organization.testKey,
    })
    expect(body).toEqual(owner)
  })

  it('are listed newest first, to an API key and to every role', async () => {
    const organization = await createOrganization()
    const joined: Member[] = []
    for (const role of ['admin', 'member', 'viewer']) joined.unshift(await join(organization, role))
    const all = [...joined, await ownerOf(organization)]
    expect(await membersOf(organization)).toEqual(all)
    for (const { user_id } of all) {
      const { status, body } = await asService(organization, 'GET', '/members', { user: user_id })
      expect([status, body]).toEqual([200, { data: all }])
    }
  })

  it('are unknown elsewhere: in other organizations, under malformed ids and under other paths', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const member = await join(organization, 'member')
    const before = await stateOf(organization.id)
    const theirs = `/v1/organizations/${organization.id}`
    const ours = `/v1/organizations/${neighbour.id}`
    const key = neighbour.liveKey
    const headers = { 'X-Org-Id': neighbour.id }
    for (const path of [
      `${theirs}/members/${member.id}`,
      `${ours}/members/${member.id}`,
      `${ours}/members/${NOWHERE}`,
      `${ours}/members/nope`,
      `/v1/organizations/nope/members/${member.id}`,
    ]) {
      const answers = [
        await call('GET', path, { key }),
        await call('PATCH', path, { key, body: { role: 'viewer' } }),
        await call('DELETE', path, { key }),
        await callAsService('DELETE', path, { headers }),
      ]
      expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 404, 404, 404, 404])
    }
    const others = [
      await call('GET', `${theirs}/members`, { key }),
      await call('GET', `${theirs}/invitations`, { key }),
      await call('POST', `${theirs}/invitations`, { key, body: { email: 'a@example.com', role: 'admin' } }),
      await call('POST', `${theirs}/transfer-ownership`, { key, body: { member_id: member.id } }),
      await call('POST', `${ours}/transfer-ownership`, { key, body: { member_id: member.id } }),
    ]
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await stateOf(organization.id)).toEqual(before)
    expect(await actionsOf(neighbour.id)).not.toContain('member.updated')
  })
})

describe("changing a member's role", () => {
  it('changes it, also for the next call, and writes to the log', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'viewer')
    const { status, body } = await asService(organization, 'PATCH', `/members/${member.id}`, {
      body: { role: 'admin' },
      user: organization.ownerUserId,
    })
    expect(status).toBe(200)
    expect(body).toEqual({ ...member, role: 'admin', updated_at: body.updated_at })
    const invited = await asService(organization, 'POST', '/invitations', {
      body: { email: emailOf(unique('x')), role: 'viewer' },
      user: member.user_id,
    })
    expect(invited.status).toBe(201)
    const { body: log } = await call('GET', `/v1/activity?resource_id=${member.id}`, {
      key: organization.liveKey,
    })
    expect(log.data).toHaveLength(1)
    expect(log.data[0]).toMatchObject({
      actor_type: 'user',
      actor_id: organization.ownerUserId,
      action: 'member.updated',
      resource_type: 'member',
      changes: { role: ['viewer', 'admin'] },
      is_test: false,
    })
  })

  it('writes nothing when the role is the same', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'viewer')
    const before = await stateOf(organization.id)
    const { status, body } = await asService(organization, 'PATCH', `/members/${member.id}`, {
      body: { role: 'viewer' },
    })
    expect([status, body]).toEqual([200, member])
    expect(await stateOf(organization.id)).toEqual(before)
  })

  it('is for owners, admins and keys', async () => {
    const organization = await createOrganization()
    const target = await join(organization, 'viewer')
    const path = `/members/${target.id}`
    for (const role of ['viewer', 'member']) {
      const { user_id } = await join(organization, role)
      const before = await stateOf(organization.id)
      for (const [method, body] of [
        ['PATCH', { role: 'admin' }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await asService(organization, method, path, {
          user: user_id,
          ...(body && { body }),
        })
        expect([role, method, answer.status, answer.body.error.code]).toEqual([
          role,
          method,
          403,
          'forbidden',
        ])
      }
      const invited = await asService(organization, 'POST', '/invitations', {
        user: user_id,
        body: { email: 'x@example.com', role: 'viewer' },
      })
      expect(invited.status).toBe(403)
      expect(await stateOf(organization.id)).toEqual(before)
    }
    const admin = await join(organization, 'admin')
    const byAdmin = await asService(organization, 'PATCH', path, {
      user: admin.user_id,
      body: { role: 'member' },
    })
    expect([byAdmin.status, byAdmin.body.role]).toEqual([200, 'member'])
    const byKey = await call('PATCH', `/v1/organizations/${organization.id}${path}`, {
      key: organization.liveKey,
      body: { role: 'admin' },
    })
    expect([byKey.status, byKey.body.role]).toEqual([200, 'admin'])
  })

  it('never makes or unmakes an owner', async () => {
    const organization = await createOrganization()
    const owner = await ownerOf(organization)
    const member = await join(organization, 'admin')
    const before = await stateOf(organization.id)
    for (const user of [owner.user_id, member.user_id]) {
      const refused = await asService(organization, 'PATCH', `/members/${owner.id}`, {
        user,
        body: { role: 'admin' },
      })
      expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
      const removed = await asService(organization, 'DELETE', `/members/${owner.id}`, { user })
      expect([removed.status, removed.body.error.code]).toEqual([403, 'forbidden'])
    }
    for (const role of ['owner', 'boss', '', 7, null]) {
      const { status, body } = await asService(organization, 'PATCH', `/members/${member.id}`, {
        body: { role },
      })
      expect([role, status, body.error.code]).toEqual([role, 400, 'validation_error'])
      expect(body.error.details).toEqual({ role: expect.any(String) })
    }
    expect(await stateOf(organization.id)).toEqual(before)
  })

  it('keeps one of two parallel changes, and logs each', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'viewer')
    const roles = ['admin', 'member'] as const
    const answers = await Promise.all(
      roles.map((role) => asService(organization, 'PATCH', `/members/${member.id}`, { body: { role } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const entries = (await rowsOf('activity', organization.id)).filter(
      ({ action }) => action === 'member.updated',
    )
    const [first, second] = entries.map(({ changes }) => JSON.parse(changes as string).role)
    expect(first[0]).toBe('viewer')
    expect(second[0]).toBe(first[1])
    const { body } = await asService(organization, 'GET', `/members/${member.id}`)
    expect(body.role).toBe(second[1])
  })
})

describe('the profile of a member', () => {
  const OFF = { new: true, moved: true, cancelled: true, requested: true, daily_agenda: false }
  const PROFILE = {
    name: 'Grace Hopper',
    avatar_url: 'https://cdn.example.com/grace.png',
    timezone: 'America/New_York',
    locale: 'de-AT',
  }
  const LIMITS = { max_bookings_per_day: 4, max_bookings_per_week: 12 }

  it('begins empty, with every email except the agenda', async () => {
    const organization = await createOrganization()
    const [owner] = await membersOf(organization)
    expect(owner).toMatchObject({ name: null, avatar_url: null, timezone: null, locale: null })
    expect(owner).toMatchObject({
      default_schedule_id: null,
      max_bookings_per_day: null,
      max_bookings_per_week: null,
    })
    expect(owner!.notifications).toEqual(OFF)
  })

  it('is changed by admins and by the member, whatever their role', async () => {
    const organization = await createOrganization()
    const viewer = await join(organization, 'admin')
    const { key } = await createKey(organization.id, 'live', {}, viewer.user_id)
    const path = `/members/${viewer.id}`
    await asService(organization, 'PATCH', path, { body: { role: 'viewer' } })
    const theirs = await asService(organization, 'PATCH', path, { user: viewer.user_id, body: PROFILE })
    expect([theirs.status, theirs.body]).toMatchObject([
      200,
      { ...PROFILE, role: 'viewer', notifications: OFF },
    ])
    const byKey = await call('PATCH', `/v1/organizations/${organization.id}${path}`, {
      key,
      body: { name: null, notifications: { moved: false } },
    })
    expect(byKey.body).toMatchObject({ ...PROFILE, name: null, notifications: { ...OFF, moved: false } })
    const admin = await join(organization, 'admin')
    const byAdmin = await asService(organization, 'PATCH', path, {
      user: admin.user_id,
      body: { notifications: { daily_agenda: true } },
    })
    expect(byAdmin.body.notifications).toEqual({ ...OFF, moved: false, daily_agenda: true })
    expect((await asService(organization, 'GET', path)).body).toEqual(byAdmin.body)
    expect((await asService(organization, 'PATCH', path, {})).body).toEqual(byAdmin.body)
    const entries = (await rowsOf('activity', organization.id)).filter(
      ({ action }) => action === 'member.updated',
    )
    expect(entries).toHaveLength(4)
  })

  it('cannot be changed by other members, nor can a member change their own role', async () => {
    const organization = await createOrganization()
    const [one, other] = [await join(organization, 'member'), await join(organization, 'member')]
    const before = await stateOf(organization.id)
    for (const [id, body] of [
      [other.id, { name: 'Eve' }],
      [one.id, { role: 'admin' }],
      [one.id, { role: 'member', name: 'Eve' }],
      [one.id, { max_bookings_per_day: 1 }],
      [one.id, { max_bookings_per_week: null }],
      [other.id, { default_schedule_id: null }],
    ] as const) {
      const { status, body: told } = await asService(organization, 'PATCH', `/members/${id}`, {
        user: one.user_id,
        body,
      })
      expect([status, told.error.code]).toEqual([403, 'forbidden'])
    }
    expect(await stateOf(organization.id)).toEqual(before)
  })

  it('names every field that is wrong and changes nothing', async () => {
    const organization = await createOrganization()
    const [owner] = await membersOf(organization)
    const before = await stateOf(organization.id)
    for (const [body, field] of [
      [{ name: '' }, 'name'],
      [{ avatar_url: 'http://cdn.example.com/grace.png' }, 'avatar_url'],
      [{ avatar_url: '' }, 'avatar_url'],
      [{ timezone: 'Mars/Olympus' }, 'timezone'],
      [{ locale: 'de_AT' }, 'locale'],
      [{ locale: '' }, 'locale'],
      [{ notifications: { new: 'yes' } }, 'notifications.new'],
      [{ notifications: null }, 'notifications'],
      [{ max_bookings_per_day: 0 }, 'max_bookings_per_day'],
      [{ max_bookings_per_day: 1.5 }, 'max_bookings_per_day'],
      [{ max_bookings_per_week: 1_001 }, 'max_bookings_per_week'],
      [{ max_bookings_per_week: 'many' }, 'max_bookings_per_week'],
      [{ default_schedule_id: 'mornings' }, 'default_schedule_id'],
    ] as const) {
      const { status, body: told } = await asService(organization, 'PATCH', `/members/${owner!.id}`, {
        body: { name: 'Kept', ...body },
      })
      expect([body, status, told.error.code]).toEqual([body, 400, 'validation_error'])
      expect(Object.keys(told.error.details)).toEqual([field])
    }
    expect(await stateOf(organization.id)).toEqual(before)
  })

  it('has limits that admins set and lift', async () => {
    const organization = await createOrganization()
    const { id } = await join(organization, 'member')
    const { user_id: user } = await join(organization, 'admin')
    const set = await asService(organization, 'PATCH', `/members/${id}`, { user, body: LIMITS })
    expect([set.status, set.body]).toMatchObject([200, LIMITS])
    const lifted = await asService(organization, 'PATCH', `/members/${id}`, {
      body: { max_bookings_per_day: null },
    })
    expect(lifted.body).toMatchObject({ ...LIMITS, max_bookings_per_day: null })
    expect((await asService(organization, 'GET', `/members/${id}`)).body).toEqual(lifted.body)
  })

  it('returns and changes the default schedule in the mode of the call', async () => {
    const organization = await createOrganization()
    const { id, user_id: user } = await join(organization, 'member')
    const schedule = { memberId: id, isDefault: false }
    const [one, other] = [
      await insertSchedule(organization, 'live', schedule),
      await insertSchedule(organization, 'live', schedule),
    ]
    const test = await insertSchedule(organization, 'test', { memberId: id })
    const path = `/members/${id}`
    const defaults = async (key: string) =>
      (await call('GET', `/v1/organizations/${organization.id}${path}`, { key })).body.default_schedule_id
    for (const chosen of [one, other, null, other]) {
      const { status, body } = await asService(organization, 'PATCH', path, {
        user,
        body: { default_schedule_id: chosen },
      })
      expect([status, body.default_schedule_id]).toEqual([200, chosen])
      expect([await defaults(organization.liveKey), await defaults(organization.testKey)]).toEqual([
        chosen,
        test,
      ])
      const [listed] = await membersOf(organization)
      expect(listed).toEqual(body)
    }
    const { body } = await call('GET', '/v1/schedules', { key: organization.liveKey })
    expect(body.data.map(({ is_default }: { is_default: boolean }) => is_default)).toEqual([true, false])
  })

  it('has no default schedule that is not theirs in that mode', async () => {
    const [organization, elsewhere] = [await createOrganization(), await createOrganization()]
    const [one, other] = [await join(organization, 'member'), await join(organization, 'member')]
    const kept = await insertSchedule(organization, 'live', { memberId: one.id })
    for (const wrong of [
      await insertSchedule(organization, 'live', { memberId: other.id }),
      await insertSchedule(organization, 'live'),
      await insertSchedule(organization, 'test', { memberId: one.id, isDefault: false }),
      await insertSchedule(elsewhere, 'live'),
      crypto.randomUUID(),
    ]) {
      const { status, body } = await asService(organization, 'PATCH', `/members/${one.id}`, {
        body: { name: 'Grace', default_schedule_id: wrong },
      })
      expect([status, body.error.code]).toEqual([404, 'not_found'])
    }
    const { body } = await asService(organization, 'GET', `/members/${one.id}`)
    expect(body).toMatchObject({ name: null, default_schedule_id: kept })
  })

  it('decides by its time zone, else by the organization’s, when the agenda is due', async () => {
    const organization = await createOrganization({ timezone: 'Asia/Tokyo' })
    const { id } = await join(organization, 'member')
    const hourOf = async (body: Record<string, unknown>, timeZone: string) => {
      await asService(organization, 'PATCH', `/members/${id}`, { body })
      const row = (await rowsOf('members', organization.id)).find((one) => one.id === id)!
      if (row.next_agenda_at === null) return null
      expect(Number(row.next_agenda_at)).toBeGreaterThan(Date.now())
      return new Date(Number(row.next_agenda_at)).toLocaleTimeString('en-GB', { timeZone })
    }
    expect(await hourOf({ name: 'Grace' }, 'UTC')).toBeNull()
    expect(await hourOf({ notifications: { daily_agenda: true } }, 'Asia/Tokyo')).toBe('06:00:00')
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { timezone: 'Asia/Seoul' } })
    expect(await hourOf({ name: 'Ada' }, 'Asia/Seoul')).toBe('06:00:00')
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { timezone: 'Europe/Paris' },
    })
    expect(await hourOf({ name: 'Ada' }, 'Europe/Paris')).toBe('06:00:00')
    expect(await hourOf({ timezone: 'America/New_York' }, 'America/New_York')).toBe('06:00:00')
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { timezone: 'UTC' } })
    expect(await hourOf({ name: 'Ada' }, 'America/New_York')).toBe('06:00:00')
    expect(await hourOf({ notifications: { daily_agenda: false } }, 'UTC')).toBeNull()
  })
})

describe('removing a member', () => {
  it('shuts them out with the very next call', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'admin')
    const path = `/members/${member.id}`
    expect((await asService(organization, 'DELETE', path)).status).toBe(204)
    expect((await asService(organization, 'GET', path)).status).toBe(404)
    expect((await asService(organization, 'DELETE', path)).status).toBe(404)
    const acting = await asService(organization, 'GET', '/members', { user: member.user_id })
    expect([acting.status, acting.body.error.code]).toEqual([403, 'forbidden'])
    expect(await membersOf(organization)).toHaveLength(1)
    const entries = (await rowsOf('activity', organization.id)).filter(
      ({ action }) => action === 'member.removed',
    )
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ resource_id: member.id, actor_type: 'service' })
  })

  it('happens once when asked in parallel', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'member')
    const answers = await parallel(10, () => asService(organization, 'DELETE', `/members/${member.id}`))
    expect(counted(answers.map(({ status }) => status))).toEqual({ 204: 1, 404: 9 })
  })

  it.each([
    ['remove', 'DELETE', 204],
    ['demote', 'PATCH', 200],
  ] as const)('is too late for one of two admins who %s each other', async (_, method, done) => {
    const organization = await createOrganization()
    for (let round = 0; round < 3; round++) {
      const [one, other] = [await join(organization, 'admin'), await join(organization, 'admin')]
      const body = method === 'PATCH' ? { role: 'viewer' } : undefined
      const answers = await Promise.all([
        asService(organization, method, `/members/${other.id}`, { user: one.user_id, body }),
        asService(organization, method, `/members/${one.id}`, { user: other.user_id, body }),
      ])
      expect(counted(answers.map(({ status }) => status))).toEqual({ [done]: 1, 403: 1 })
    }
  })

  it('lets the same person be invited and join again', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'member')
    await asService(organization, 'DELETE', `/members/${member.id}`)
    const { status, body } = await invite(organization, member.user_email, 'admin')
    expect(status).toBe(201)
    const again = await accept(body.token, member.user_id)
    expect([again.status, again.body.role]).toEqual([200, 'admin'])
    expect(again.body.id).not.toBe(member.id)
  })
})

describe('inviting', () => {
  it('answers with the whole record, its token only to the service key', async () => {
    const organization = await createOrganization()
    const email = emailOf(unique('grace'))
    const { status, body } = await invite(organization, email, 'admin')
    expect(status).toBe(201)
    const { token, ...invitation } = body
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(Invitation.parse(invitation)).toEqual(invitation)
    expect(invitation).toMatchObject({
      organization_id: organization.id,
      email,
      role: 'admin',
      status: 'pending',
      invited_by: 'service',
      accepted_at: null,
    })
    expect(Date.parse(invitation.expires_at)).toBe(Date.parse(invitation.created_at) + 7 * DAY_MS)
    expect(await pendingOf(organization)).toEqual([invitation])

    const byKey = await call('POST', `/v1/organizations/${organization.id}/invitations`, {
      key: organization.liveKey,
      body: { email: emailOf(unique('x')), role: 'viewer' },
    })
    expect(byKey.status).toBe(201)
    expect(byKey.body).not.toHaveProperty('token')
    const { body: keys } = await call('GET', '/v1/api-keys', { key: organization.liveKey })
    expect(byKey.body.invited_by).toBe(keys.data[0].id)
    const byUser = await asService(organization, 'POST', '/invitations', {
      user: organization.ownerUserId,
      body: { email: emailOf(unique('x')), role: 'viewer' },
    })
    expect(byUser.body.invited_by).toBe(organization.ownerUserId)
    expect((await pendingOf(organization)).map(({ id }) => id)).toEqual([
      byUser.body.id,
      byKey.body.id,
      invitation.id,
    ])
  })

  it('refuses invalid roles and emails', async () => {
    const organization = await createOrganization()
    const before = await stateOf(organization.id)
    const wrong: [Record<string, unknown>, string][] = [
      [{ role: 'owner' }, 'role'],
      [{ role: 'boss' }, 'role'],
      [{ role: undefined }, 'role'],
      [{ email: 'nobody' }, 'email'],
      [{ email: '' }, 'email'],
      [{ email: undefined }, 'email'],
    ]
    for (const [input, field] of wrong) {
      const { status, body } = await asService(organization, 'POST', '/invitations', {
        body: { email: 'grace@example.com', role: 'member', ...input },
      })
      expect([field, status, body.error.code]).toEqual([field, 400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual([field])
    }
    expect(await stateOf(organization.id)).toEqual(before)
  })

  it('sends one email, which stays in the sandbox in test mode and opens the invitation', async () => {
    const organization = await createOrganization()
    const email = emailOf(unique('grace'))
    await invite(organization, email, 'member')
    const [letter, ...more] = await rowsOf('posted_letters', organization.id)
    expect(more).toEqual([])
    expect(letter).toMatchObject({ recipient: email, kind: 'ready' })
    expect(await rowsOf('sandbox_outbox', organization.id)).toEqual([])

    const other = emailOf(unique('grace'))
    const { body } = await asService(organization, 'POST', '/invitations', {
      mode: 'test',
      body: { email: other, role: 'viewer' },
    })
    expect(await rowsOf('posted_letters', organization.id)).toHaveLength(1)
    const [kept, ...rest] = await rowsOf('sandbox_outbox', organization.id)
    expect(rest).toEqual([])
    expect(kept).toMatchObject({ channel: 'email', recipient: other })
    const { text } = JSON.parse(await unseal(env.ENCRYPTION_KEY, kept!.body as string))
    const { body: summary } = await callAsService('GET', '/v1/me/organizations', {
      headers: { 'X-User-Id': organization.ownerUserId },
    })
    expect(kept!.subject).toContain(summary.data[0].name)
    expect(text).toContain('as a viewer')
    const token = /^http\S+\/invitations\?token=([\w-]{43})$/m.exec(text)![1]!
    const accepted = await accept(token, unique('user'), {}, other)
    expect([accepted.status, accepted.body.role]).toEqual([200, 'viewer'])
    expect(accepted.body.invited_by).toBe(body.invited_by)
  })

  it('stores the token nowhere in readable form', async () => {
    const organization = await createOrganization()
    const { body } = await invite(organization, 'grace@example.com', 'member', {
      headers: { 'X-Org-Id': organization.id, 'Idempotency-Key': 'once' },
    })
    await accept(body.token, unique('user'), { headers: { 'Idempotency-Key': body.id } })
    const kept = await env.DB.prepare('SELECT * FROM idempotency_keys').all()
    const everything = JSON.stringify([await stateOf(organization.id), kept.results])
    expect(everything).toContain(body.id)
    expect(everything).not.toContain(body.token)
  })

  it('answers a repeated request with the same token and sends nothing more', async () => {
    const organization = await createOrganization()
    const send = () =>
      invite(organization, 'grace@example.com', 'member', {
        headers: { 'X-Org-Id': organization.id, 'Idempotency-Key': 'once' },
      })
    const first = await send()
    const again = await send()
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await rowsOf('posted_letters', organization.id)).toHaveLength(1)
    expect(await rowsOf('invitations', organization.id)).toHaveLength(1)
  })

  it('sends nothing once the organization is suspended, even between its read and its write', async () => {
    const organization = await createOrganization()
    const path = `/v1/organizations/${organization.id}`
    const DB = databaseThrough(async (ask, queries) => {
      const answer = await ask()
      if (queries.some((query) => /from "invitations"/i.test(query))) {
        await callAsService('PATCH', path, { body: { suspended: true } })
      }
      return answer
    })
    const { status, body } = await serviceWith({ DB }).call('POST', `${path}/invitations`, {
      key: organization.liveKey,
      body: { email: 'grace@example.com', role: 'member' },
    })
    expect([status, body.error?.code]).toEqual([403, 'org_suspended'])
    expect(await rowsOf('emails', organization.id)).toEqual([])
  })

  it('refuses a second pending invitation and members, whatever the case of the email', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'viewer')
    await invite(organization, 'Grace@Example.com')
    const before = await stateOf(organization.id)
    for (const email of ['grace@example.com', 'GRACE@EXAMPLE.COM', member.user_email.toUpperCase()]) {
      const { status, body } = await invite(organization, email)
      expect([email, status, body.error.code]).toEqual([email, 409, 'conflict'])
    }
    expect(await stateOf(organization.id)).toEqual(before)
    expect((await invite(await createOrganization(), 'grace@example.com')).status).toBe(201)
  })

  it('expires by the caller’s clock, and changes nothing else', async () => {
    const organization = await createOrganization()
    const { testKey: key } = organization
    const { body: live } = await invite(organization, 'grace@example.com')
    const { body } = await invite(organization, 'grace@example.com', 'admin', {
      headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' },
    })
    const now = Date.parse(body.expires_at)
    const setClock = (instant: number | null) =>
      call('PUT', '/v1/test-data/clock', {
        key,
        body: { now: instant === null ? null : new Date(instant).toISOString() },
      })
    const user = unique('grace')
    await setClock(now)
    expect((await accept(body.token, user)).status).toBe(400)
    expect((await accept(body.token, user, { key: organization.liveKey })).status).toBe(404)
    expect((await pendingOf(organization)).map(({ id }) => id)).toEqual([live.id])
    await setClock(now - 1)
    const { status, body: member } = await accept(body.token, user)
    expect(status).toBe(200)
    expect(Math.abs(Date.parse(member.created_at) - Date.now())).toBeLessThan(60_000)
    const transferred = await asService(organization, 'POST', '/transfer-ownership', {
      mode: 'test',
      body: { member_id: member.id },
    })
    expect(transferred.status).toBe(200)
    const headers = { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' }
    await callAsService('PATCH', '/v1/branding', { headers, body: { logo_alt_text: 'Acme' } })
    const { body: shared } = await callAsService('GET', `/v1/organizations?owner_user_id=${user}`)
    expect(Math.abs(Date.parse(shared.updated_at) - Date.now())).toBeLessThan(60_000)
  })

  it('creates one invitation from many parallel calls', async () => {
    const organization = await createOrganization()
    const send = () => invite(organization, 'grace@example.com')
    const answers = await parallel(20, send)
    expect(counted(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 19 })
    expect(await rowsOf('invitations', organization.id)).toHaveLength(1)
    expect(await rowsOf('posted_letters', organization.id)).toHaveLength(1)
    const [{ id } = { id: '' }] = await pendingOf(organization)

    await expire(id)
    const later = await parallel(20, send)
    expect(counted(later.map(({ status }) => status))).toEqual({ 201: 1, 409: 19 })
    expect(await pendingOf(organization)).toHaveLength(1)
    expect(
      (await actionsOf(organization.id)).filter((action) => action === 'invitation.created'),
    ).toHaveLength(2)
  })

  it('is limited to five times an hour for one address, for all callers and in any case', async () => {
    const organization = await createOrganization()
    for (const email of [
      'eve@example.com',
      'Eve@example.com',
      'EVE@example.com',
      'eve@Example.com',
      'eve@example.com',
    ]) {
      const { status, body } = await invite(organization, email)
      expect(status).toBe(201)
      await asService(organization, 'DELETE', `/invitations/${body.id}`)
    }
    for (const key of [undefined, organization.liveKey]) {
      const { status, body, headers } = key
        ? await call('POST', `/v1/organizations/${organization.id}/invitations`, {
            key,
            body: { email: 'eve@example.com', role: 'viewer' },
          })
        : await invite(organization, 'eve@example.com')
      expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded'])
      expect(body.error.details).toEqual({ limit: 'invitations_per_hour', retry_after: body.retry_after })
      expect(body.retry_after).toBeGreaterThan(3_500)
      expect(headers.get('Retry-After')).toBe(String(body.retry_after))
    }
    expect(await rowsOf('posted_letters', organization.id)).toHaveLength(5)
    expect((await invite(organization, 'bob@example.com')).status).toBe(201)
    // As if one of them had been made long ago, which its id tells.
    await env.DB.prepare(
      `UPDATE invitations SET id = '0192f1e0' || substr(id, 9)
       WHERE id = (SELECT min(id) FROM invitations WHERE organization_id = ?)`,
    )
      .bind(organization.id)
      .run()
    expect((await invite(organization, 'eve@example.com')).status).toBe(201)
  })

  it('is not stopped by an invitation that expired or was revoked', async () => {
    const organization = await createOrganization()
    const first = await invite(organization, 'grace@example.com')
    await expire(first.body.id)
    expect(await pendingOf(organization)).toEqual([])
    const second = await invite(organization, 'grace@example.com', 'admin')
    expect(second.status).toBe(201)
    await asService(organization, 'DELETE', `/invitations/${second.body.id}`)
    const third = await invite(organization, 'grace@example.com')
    expect(third.status).toBe(201)
    expect((await pendingOf(organization)).map(({ id }) => id)).toEqual([third.body.id])
    for (const { body } of [first, second]) {
      const refused = await accept(body.token, unique('user'))
      expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
    }
    expect((await accept(third.body.token, unique('user'))).status).toBe(200)
  })

  it('follows all of this for an address with capitals beyond ASCII too, which the database leaves as they are', async () => {
    const organization = await createOrganization()
    const [typed, small] = ['Özlem@Österreich.example', 'özlem@österreich.example']
    const first = await invite(organization, typed)
    expect((await invite(organization, small)).body.error.message).toMatch(/pending/)
    await expire(first.body.id)
    const second = await invite(organization, typed)
    expect(second.status).toBe(201)
    expect((await accept(second.body.token, unique('user'))).status).toBe(200)
    for (const email of [typed, small]) {
      expect((await invite(organization, email)).body.error.message).toMatch(/already a member/)
    }

    const other = await createOrganization()
    for (const email of [typed, small, typed, typed, small]) {
      const { body } = await invite(other, email)
      await asService(other, 'DELETE', `/invitations/${body.id}`)
    }
    expect((await invite(other, typed)).status).toBe(429)
    expect((await invite(other, small)).status).toBe(429)
  })
})

describe('revoking an invitation', () => {
  it('closes it, once or twice, and only in its organization', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const { body } = await invite(organization, 'grace@example.com')
    const path = `/invitations/${body.id}`
    const before = await stateOf(organization.id)
    expect((await asService(neighbour, 'DELETE', path)).status).toBe(404)
    expect((await asService(organization, 'DELETE', `/invitations/${NOWHERE}`)).status).toBe(404)
    expect((await asService(organization, 'DELETE', '/invitations/nope')).status).toBe(404)
    expect(await stateOf(organization.id)).toEqual(before)

    const answers = await parallel(5, () => asService(organization, 'DELETE', path))
    expect(counted(answers.map(({ status }) => status))).toEqual({ 204: 5 })
    expect(await pendingOf(organization)).toEqual([])
    expect(
      (await actionsOf(organization.id)).filter((action) => action === 'invitation.revoked'),
    ).toHaveLength(1)
    const refused = await accept(body.token, unique('user'))
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
  })

  it('comes too late for an accepted one', async () => {
    const organization = await createOrganization()
    const { body } = await invite(organization, 'grace@example.com')
    await accept(body.token, unique('user'))
    const { status, body: refusal } = await asService(organization, 'DELETE', `/invitations/${body.id}`)
    expect([status, refusal.error.code]).toEqual([409, 'conflict'])
  })

  it('and accepting at once end in one of the two', async () => {
    for (let round = 0; round < 5; round++) {
      const organization = await createOrganization()
      const { body } = await invite(organization, 'grace@example.com')
      const [accepted, revoked] = await Promise.all([
        accept(body.token, unique('user')),
        asService(organization, 'DELETE', `/invitations/${body.id}`),
      ])
      expect([
        [200, 409],
        [400, 204],
      ]).toContainEqual([accepted.status, revoked.status])
      expect(await membersOf(organization)).toHaveLength(accepted.status === 200 ? 2 : 1)
    }
  })
})

describe('accepting an invitation', () => {
  it('makes a member with the invited role, and says so in the log', async () => {
    const organization = await createOrganization()
    const userId = unique('grace')
    const { body: invitation } = await asService(organization, 'POST', '/invitations', {
      user: organization.ownerUserId,
      body: { email: emailOf(userId), role: 'admin' },
    })
    const { status, body: member } = await accept(invitation.token, userId)
    expect(status).toBe(200)
    expect(Member.parse(member)).toEqual(member)
    expect(member).toMatchObject({
      organization_id: organization.id,
      user_id: userId,
      user_email: emailOf(userId),
      role: 'admin',
      invited_by: organization.ownerUserId,
    })
    expect((await membersOf(organization))[0]).toEqual(member)
    expect(await pendingOf(organization)).toEqual([])
    const [row] = await rowsOf('invitations', organization.id)
    expect(row!.accepted_at).toEqual(expect.any(Number))
    const entry = (await rowsOf('activity', organization.id)).at(-1)!
    expect(entry).toMatchObject({
      action: 'invitation.accepted',
      resource_type: 'invitation',
      resource_id: invitation.id,
      actor_type: 'service',
      is_test: 0,
    })
    expect(JSON.parse(entry.changes as string)).toEqual({
      member_id: member.id,
      user_id: userId,
      role: 'admin',
    })
  })

  it('accepts a key of the inviting organization and no other', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const { body } = await invite(organization, 'grace@example.com')
    const before = await stateOf(organization.id)
    const userId = unique('grace')
    for (const [key, expected] of [
      [neighbour.liveKey, [404, 'not_found']],
      [neighbour.testKey, [403, 'forbidden']],
      [organization.testKey, [403, 'forbidden']],
    ] as const) {
      const { status, body: refusal } = await accept(body.token, userId, { key })
      expect([status, refusal.error.code]).toEqual(expected)
    }
    for (const key of [`hf_live_${'a'.repeat(43)}`, 'nonsense']) {
      expect((await accept(body.token, userId, { key })).status).toBe(401)
    }
    const nobody = await call('POST', '/v1/invitations/accept', { body: { token: body.token } })
    expect(nobody.status).toBe(401)
    expect(nobody.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(await stateOf(organization.id)).toEqual(before)

    const accepted = await accept(body.token, userId, { key: organization.liveKey })
    expect(accepted.status).toBe(200)
    expect(accepted.headers.get('X-RateLimit-Limit')).toBe('2000')
  })

  it('is for who was invited: another address accepts nothing, unless the operator vouches for that user', async () => {
    const organization = await createOrganization()
    const admin = await join(organization, 'admin')
    const { body } = await invite(organization, 'Grace@Example.com')
    const before = await stateOf(organization.id)
    const userId = unique('mallory')
    const attempts: [string, Call][] = [
      ['the service key', {}],
      ['a key of the organization', { key: organization.liveKey }],
      ['an admin', { headers: { 'X-User-Id': admin.user_id } }],
    ]
    for (const [name, options] of attempts) {
      for (const email of [emailOf(userId), 'grace@example.com.evil.example', 'grace@example.co']) {
        const answer = await accept(body.token, userId, options, email)
        expect([name, email, answer.status, answer.body.error.code]).toEqual([name, email, 403, 'forbidden'])
      }
    }
    expect(await stateOf(organization.id)).toEqual(before)
    expect((await accept(body.token, userId, {}, 'gRACE@eXAMPLE.COM')).status).toBe(200)

    const other = await invite(organization, 'heidi@example.com')
    const heidi = unique('heidi')
    const vouched = await accept(other.body.token, heidi, { headers: { 'X-User-Id': heidi } }, emailOf(heidi))
    expect([vouched.status, vouched.body.user_email]).toEqual([200, emailOf(heidi)])
  })

  it('refuses what is unknown, revoked, expired, accepted, or a member already', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'viewer')
    const revoked = await invite(organization, 'a@example.com')
    await asService(organization, 'DELETE', `/invitations/${revoked.body.id}`)
    const expired = await invite(organization, 'b@example.com')
    await expire(expired.body.id)
    const accepted = await invite(organization, 'c@example.com')
    await accept(accepted.body.token, unique('user'))
    const open = await invite(organization, 'd@example.com')
    const before = await stateOf(organization.id)
    const cases: [string, string, string, number, string][] = [
      ['unknown', 'a'.repeat(43), unique('user'), 404, 'not_found'],
      ['revoked', revoked.body.token, unique('user'), 400, 'bad_request'],
      ['expired', expired.body.token, unique('user'), 400, 'bad_request'],
      ['accepted', accepted.body.token, unique('user'), 409, 'conflict'],
      ['a member', open.body.token, member.user_id, 409, 'conflict'],
    ]
    for (const [name, token, userId, status, code] of cases) {
      for (const key of [undefined, organization.liveKey]) {
        const answer = await accept(token, userId, key === undefined ? {} : { key })
        expect([name, answer.status, answer.body.error.code]).toEqual([name, status, code])
      }
    }
    for (const [field, value] of [
      ['token', ''],
      ['token', undefined],
      ['user_id', ''],
      ['user_id', undefined],
      ['user_id', 'no header names me '],
      ['user_email', 'nobody'],
      ['user_email', undefined],
    ] as const) {
      const { status, body } = await callAsService('POST', '/v1/invitations/accept', {
        body: { token: open.body.token, user_id: 'u', user_email: 'u@example.com', [field]: value },
      })
      expect([field, status]).toEqual([field, 400])
      expect(Object.keys(body.error.details)).toEqual([field])
    }
    expect(await stateOf(organization.id)).toEqual(before)
  })

  it('lets nobody act for others but admins', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const admin = await join(organization, 'admin')
    const member = await join(organization, 'member')
    const { body } = await invite(organization, 'grace@example.com')
    const before = await stateOf(organization.id)
    const userId = unique('grace')
    const actingAs = (user: string) => accept(body.token, userId, { headers: { 'X-User-Id': user } })
    for (const user of [member.user_id, neighbour.ownerUserId, unique('nobody'), '']) {
      const answer = await actingAs(user)
      expect([user, answer.status, answer.body.error.code]).toEqual([user, 403, 'forbidden'])
    }
    expect(await stateOf(organization.id)).toEqual(before)
    expect((await actingAs(userId)).status).toBe(200)
    const other = await invite(organization, 'heidi@example.com')
    const byAdmin = await accept(other.body.token, unique('heidi'), {
      headers: { 'X-User-Id': admin.user_id },
    })
    expect(byAdmin.status).toBe(200)
    const [newest, previous] = (await rowsOf('activity', organization.id))
      .filter(({ action }) => action === 'invitation.accepted')
      .reverse()
    expect([newest!.actor_id, previous!.actor_id]).toEqual([admin.user_id, userId])
  })

  it('works once when asked in parallel, by many users and by one with many invitations', async () => {
    const organization = await createOrganization()
    const { body } = await invite(organization, 'grace@example.com')
    const answers = await parallel(20, () => accept(body.token, unique('user')))
    expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 19 })
    expect(await membersOf(organization)).toHaveLength(2)

    const userId = unique('user')
    const invitations = await parallel(5, (at) => invite(organization, `u${at}@example.com`))
    const joined = await Promise.all(invitations.map((invitation) => accept(invitation.body.token, userId)))
    expect(counted(joined.map(({ status }) => status))).toEqual({ 200: 1, 409: 4 })
    expect(await membersOf(organization)).toHaveLength(3)
    expect(await pendingOf(organization)).toHaveLength(4)
  })

  it('answers a repeated request with the same member', async () => {
    const organization = await createOrganization()
    const { body } = await invite(organization, 'grace@example.com')
    const userId = unique('grace')
    const options = { headers: { 'Idempotency-Key': body.id } }
    const first = await accept(body.token, userId, options)
    const again = await accept(body.token, userId, options)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await membersOf(organization)).toHaveLength(2)
  })
})

describe('transferring the ownership', () => {
  function transfer(organization: Organization, memberId: string, user?: string) {
    return asService(organization, 'POST', '/transfer-ownership', {
      body: { member_id: memberId },
      ...(user !== undefined && { user }),
    })
  }

  it('moves everything at once', async () => {
    const organization = await createOrganization()
    const before = await ownerOf(organization)
    const member = await join(organization, 'viewer')
    const { status, body } = await transfer(organization, member.id, before.user_id)
    expect([status, body]).toEqual([200, { success: true }])
    const roles = Object.fromEntries((await membersOf(organization)).map(({ id, role }) => [id, role]))
    expect(roles).toEqual({ [member.id]: 'owner', [before.id]: 'admin' })
    const owned = await callAsService('GET', `/v1/organizations?owner_user_id=${member.user_id}`)
    expect([owned.status, owned.body.id]).toEqual([200, organization.id])
    expect((await callAsService('GET', `/v1/organizations?owner_user_id=${before.user_id}`)).status).toBe(404)
    const entry = (await rowsOf('activity', organization.id)).at(-1)!
    expect(entry).toMatchObject({
      action: 'organization.ownership_transferred',
      resource_type: 'organization',
      resource_id: organization.id,
      actor_id: before.user_id,
    })
    expect(JSON.parse(entry.changes as string)).toEqual({ owner_user_id: [before.user_id, member.user_id] })
    expect((await transfer(organization, before.id, before.user_id)).status).toBe(403)
    expect((await transfer(organization, before.id, member.user_id)).status).toBe(200)
  })

  it('lets the previous owner own another organization', async () => {
    const organization = await createOrganization()
    const member = await join(organization, 'admin')
    await transfer(organization, member.id)
    const { status } = await callAsService('POST', '/v1/organizations', {
      body: { name: 'Second', owner_user_id: organization.ownerUserId },
    })
    expect(status).toBe(201)
  })

  it('is for the owner and for keys', async () => {
    const organization = await createOrganization()
    const target = await join(organization, 'viewer')
    for (const role of ['viewer', 'member', 'admin']) {
      const { user_id } = await join(organization, role)
      const before = await stateOf(organization.id)
      const { status, body } = await transfer(organization, target.id, user_id)
      expect([role, status, body.error.code]).toEqual([role, 403, 'forbidden'])
      expect(await stateOf(organization.id)).toEqual(before)
    }
    const byKey = await call('POST', `/v1/organizations/${organization.id}/transfer-ownership`, {
      key: organization.liveKey,
      body: { member_id: target.id },
    })
    expect(byKey.status).toBe(200)
  })

  it('refuses an unknown user, the owner, and owners of other organizations', async () => {
    const organization = await createOrganization()
    const neighbour = await createOrganization()
    const owner = await ownerOf(organization)
    const stranger = await join(neighbour, 'admin')
    const { body: invitation } = await invite(organization, 'd@example.com')
    const { body: elsewhere } = await accept(invitation.token, neighbour.ownerUserId)
    const before = await stateOf(organization.id)
    const cases: [string, number, string][] = [
      [NOWHERE, 404, 'not_found'],
      [stranger.id, 404, 'not_found'],
      [owner.id, 400, 'bad_request'],
      [elsewhere.id, 409, 'conflict'],
      ['nope', 400, 'validation_error'],
    ]
    for (const [id, status, code] of cases) {
      const answer = await transfer(organization, id)
      expect([id, answer.status, answer.body.error.code]).toEqual([id, status, code])
    }
    expect(await stateOf(organization.id)).toEqual(before)
    expect((await ownerOf(organization)).id).toBe(owner.id)
  })

  it('leaves one owner after parallel transfers', async () => {
    const organization = await createOrganization()
    const members = [
      await join(organization, 'admin'),
      await join(organization, 'member'),
      await join(organization, 'viewer'),
    ]
    const answers = await Promise.all(
      members.map(({ id }) => transfer(organization, id, organization.ownerUserId)),
    )
    expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 1, 403: 2 })
    const winner = members[answers.findIndex(({ status }) => status === 200)]!
    const owners = (await membersOf(organization)).filter(({ role }) => role === 'owner')
    expect(owners.map(({ id }) => id)).toEqual([winner.id])
    const { body } = await callAsService('GET', `/v1/organizations?owner_user_id=${winner.user_id}`)
    expect(body.id).toBe(organization.id)

    const byKeys = await Promise.all(
      [0, 1, 2].map(() =>
        call('POST', `/v1/organizations/${organization.id}/transfer-ownership`, {
          key: organization.liveKey,
          body: { member_id: members.find(({ id }) => id !== winner.id)!.id },
        }),
      ),
    )
    expect(counted(byKeys.map(({ status }) => status))).toEqual({ 200: 1, 400: 2 })
    expect((await membersOf(organization)).filter(({ role }) => role === 'owner')).toHaveLength(1)
  })

  it('gives one person one organization if two are transferred at once', async () => {
    const [first, second] = [await createOrganization(), await createOrganization()]
    const userId = unique('heir')
    const heirs = await Promise.all(
      [first, second].map(async (organization) => {
        const { body } = await invite(organization, emailOf(userId))
        return (await accept(body.token, userId)).body as Member
      }),
    )
    const answers = await Promise.all([transfer(first, heirs[0]!.id), transfer(second, heirs[1]!.id)])
    expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 1 })
    const loser = answers[0]!.status === 409 ? first : second
    expect((await ownerOf(loser)).user_id).toBe(loser.ownerUserId)
    expect(await actionsOf(loser.id)).not.toContain('organization.ownership_transferred')
  })

  it('never lets the new owner be removed or re-roled in between', async () => {
    for (let round = 0; round < 3; round++) {
      const organization = await createOrganization()
      const member = await join(organization, 'member')
      const [moved, changed, removed] = await Promise.all([
        transfer(organization, member.id),
        asService(organization, 'PATCH', `/members/${member.id}`, { body: { role: 'viewer' } }),
        asService(organization, 'DELETE', `/members/${member.id}`),
      ])
      expect([200, 404]).toContain(moved.status)
      expect([200, 403, 404]).toContain(changed.status)
      expect(removed.status).toBe(moved.status === 200 ? 403 : 204)
      const owner = await ownerOf(organization)
      expect(owner.user_id).toBe(moved.status === 200 ? member.user_id : organization.ownerUserId)
    }
  })
})

describe("a user's organizations", () => {
  function mine(userId?: string) {
    return callAsService('GET', '/v1/me/organizations', {
      headers: userId === undefined ? {} : { 'X-User-Id': userId },
    })
  }

  it('are all that the user belongs to, newest first, with the role in each', async () => {
    const own = await createOrganization()
    const other = await createOrganization()
    await createOrganization()
    const { body: invitation } = await invite(other, 'grace@example.com', 'viewer')
    await accept(invitation.token, own.ownerUserId)
    const { status, body } = await mine(own.ownerUserId)
    expect(status).toBe(200)
    expect(body.data.map((entry: unknown) => OrganizationSummary.parse(entry))).toEqual(body.data)
    expect(body.data).toMatchObject([
      { id: other.id, slug: other.slug, role: 'viewer' },
      { id: own.id, slug: own.slug, role: 'owner', onboarding_completed_at: null },
    ])
    expect((await mine(unique('nobody'))).body).toEqual({ data: [] })
  })

  it('need to know whose, and the service key', async () => {
    for (const userId of [undefined, '']) {
      const { status, body } = await mine(userId)
      expect([status, body.error.code]).toEqual([400, 'validation_error'])
      expect(Object.keys(body.error.details)).toEqual(['x-user-id'])
    }
    const { id, liveKey, ownerUserId } = await createOrganization()
    const { key } = await createKey(id, 'test')
    for (const secret of [liveKey, key]) {
      const { status } = await call('GET', '/v1/me/organizations', {
        key: secret,
        headers: { 'X-User-Id': ownerUserId },
      })
      expect(status).toBe(401)
    }
  })
})
