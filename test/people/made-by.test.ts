import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createKey, createOrganization, type Organization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { visit, wordsOf } from '../support/pages.ts'

type Member = { readonly id: string; readonly userId: string }

function as({ id }: Organization, { userId }: { userId: string }) {
  return { 'X-Org-Id': id, 'X-User-Id': userId }
}

/** A feed that the member makes, of everybody unless told otherwise. */
async function feedBy(organization: Organization, member: Member, memberId: string | null = null) {
  const headers = as(organization, member)
  const made = await callAsService('POST', '/v1/calendar-feeds', { headers, body: { member_id: memberId } })
  expect(made.status).toBe(201)
  return { ...made.body, path: new URL(made.body.url).pathname as string }
}

function setRole(organization: Organization, { id }: Member, role: string) {
  const path = `/v1/organizations/${organization.id}/members/${id}`
  return call('PATCH', path, { key: organization.liveKey, body: { role } })
}

function remove(organization: Organization, { id }: Member) {
  return call('DELETE', `/v1/organizations/${organization.id}/members/${id}`, { key: organization.liveKey })
}

async function statusAt({ path }: { path: string }): Promise<number> {
  return (await visit(path)).status
}

async function listed(path: string, { liveKey: key }: Organization): Promise<any[]> {
  return (await call('GET', path, { key })).body.data
}

describe('a feed', () => {
  it('of everybody ends with the membership of the admin who made it, and the log says so', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const colleague = await memberWithRole(organization, 'member')
    const everybodys = await feedBy(organization, admin)
    const ofColleague = await feedBy(organization, admin, colleague.id)
    expect([await statusAt(everybodys), await statusAt(ofColleague)]).toEqual([200, 200])
    expect((await remove(organization, admin)).status).toBe(204)
    expect([await statusAt(everybodys), await statusAt(ofColleague)]).toEqual([404, 404])
    expect(await listed('/v1/calendar-feeds', organization)).toEqual([])
    const log = await listed('/v1/activity?action=calendar_feed.revoked', organization)
    expect(log.map(({ resource_id: id }) => id).sort()).toEqual([everybodys.id, ofColleague.id].sort())
  })

  it('of everybody ends with the role that it needed, and stays ended when the role is raised again', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const everybodys = await feedBy(organization, admin)
    const own = await feedBy(organization, admin, admin.id)
    const others = await feedBy(organization, { id: '', userId: organization.ownerUserId })
    await setRole(organization, admin, 'member')
    expect([await statusAt(everybodys), await statusAt(own), await statusAt(others)]).toEqual([404, 200, 200])
    await setRole(organization, admin, 'admin')
    expect(await statusAt(everybodys)).toBe(404)
    await remove(organization, admin)
    expect([await statusAt(own), await statusAt(others)]).toEqual([404, 200])
  })

  it('that a key of a member makes ends with that member, too', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const { key } = await createKey(organization.id, 'live', {}, admin.userId)
    const { body } = await call('POST', '/v1/calendar-feeds', { key, body: {} })
    expect(body.created_by).toEqual({ type: 'member', id: admin.id, name: `${admin.userId}@example.com` })
    const { pathname: path } = new URL(body.url)
    expect(await statusAt({ path })).toBe(200)
    await setRole(organization, admin, 'viewer')
    expect(await statusAt({ path })).toBe(404)
  })

  it('is not left behind when it is made while its maker is removed', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const headers = as(organization, admin)
    const making = Array.from({ length: 10 }, () =>
      callAsService('POST', '/v1/calendar-feeds', { headers, body: {} }),
    )
    const [removed, ...made] = await Promise.all([remove(organization, admin), ...making])
    expect(removed.status).toBe(204)
    expect(made.every(({ status }) => [201, 403].includes(status))).toBe(true)
    expect(await listed('/v1/calendar-feeds', organization)).toEqual([])
  })

  it('names its creator: a member, a key or the service', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const headers = { 'X-Org-Id': organization.id }
    await callAsService('POST', '/v1/calendar-feeds', { headers, body: {} })
    await call('POST', '/v1/calendar-feeds', { key: organization.liveKey, body: {} })
    await feedBy(organization, admin)
    const [key] = await listed('/v1/api-keys', organization)
    expect((await listed('/v1/calendar-feeds', organization)).map(({ created_by: by }) => by)).toEqual([
      { type: 'member', id: admin.id, name: `${admin.userId}@example.com` },
      { type: 'api_key', id: key.id, name: key.name },
      { type: 'service', id: null, name: null },
    ])
    const page = await (await enter(organization)).visit('/console/calendars')
    expect(wordsOf(page)).toContain(`by ${admin.userId}@example.com`)
  })
})

describe('a link that signs in to the console', () => {
  it('names its creator, and ends with the membership of a member who made it for themselves', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const body = { organization_id: organization.id, user_id: admin.userId }
    const make = (headers = {}) => callAsService('POST', '/v1/console-links', { headers, body })
    expect((await make()).body.created_by).toEqual({ type: 'service', id: null, name: null })
    const own = await make({ 'X-User-Id': admin.userId })
    const name = `${admin.userId}@example.com`
    expect(own.body.created_by).toEqual({ type: 'member', id: admin.id, name })
    const { pathname, search } = new URL(own.body.url)
    expect(wordsOf(await visit(pathname + search))).toContain(name)
    await remove(organization, admin)
    expect(wordsOf(await visit(pathname + search))).not.toContain(name)
  })
})

describe('a key', () => {
  it('says which member it was made for, also after that member has left', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const made: any = await createKey(organization.id, 'live', {}, admin.userId)
    const by = { type: 'member', id: admin.id, name: `${admin.userId}@example.com` }
    expect(made.created_by).toEqual(by)
    const page = await (await enter(organization)).visit('/console/developers')
    expect(wordsOf(page)).toContain(`by ${admin.userId}@example.com`)
    const of = async () => (await listed('/v1/api-keys', organization)).map(({ created_by: by }) => by)
    expect(await of()).toContainEqual(by)
    expect(await of()).toContainEqual({ type: 'service', id: null, name: null })
    await remove(organization, admin)
    expect(await of()).toContainEqual({ ...by, name: null })
  })

  it('keeps the lower role when its member is raised again', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const { key } = await createKey(organization.id, 'live', {}, admin.userId)
    const change = () => call('PATCH', '/v1/branding', { key, body: { logo_alt_text: 'Acme' } })
    expect((await change()).status).toBe(200)
    await setRole(organization, admin, 'viewer')
    expect((await change()).status).toBe(403)
    await setRole(organization, admin, 'admin')
    expect((await change()).status).toBe(403)
    expect((await call('GET', '/v1/branding', { key })).status).toBe(200)
  })

  it('of the owner has the role of an admin after the ownership went to another member, and back', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const path = `/v1/organizations/${organization.id}`
    const owner = (await listed(`${path}/members`, organization)).find(({ role }) => role === 'owner')
    const { key } = await createKey(organization.id, 'live', {}, organization.ownerUserId)
    const transfer = (to: string, by: string) =>
      call('POST', `${path}/transfer-ownership`, { key: by, body: { member_id: to } })
    expect((await transfer(admin.id, organization.liveKey)).status).toBe(200)
    expect((await transfer(owner.id, organization.liveKey)).status).toBe(200)
    expect((await transfer(admin.id, key)).status).toBe(403)
  })
})

describe('an invitation', () => {
  const invite = (organization: Organization, member: Member, role = 'admin') =>
    callAsService('POST', `/v1/organizations/${organization.id}/invitations`, {
      headers: as(organization, member),
      body: { email: `${unique('grace')}@example.com`, role },
    })
  const accept = ({ body: { token, email } }: Awaited<ReturnType<typeof invite>>) =>
    callAsService('POST', '/v1/invitations/accept', { body: { token, user_id: email, user_email: email } })
  const pending = (organization: Organization) =>
    listed(`/v1/organizations/${organization.id}/invitations`, organization)

  it.each([
    [
      'is made a member',
      (organization: Organization, admin: Member) => setRole(organization, admin, 'member'),
    ],
    ['is removed', remove],
  ])('ends when the admin who created it %s, and the log says so', async (_, end) => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const own = await invite(organization, admin)
    const { key } = await createKey(organization.id, 'live', {}, admin.userId)
    const path = `/v1/organizations/${organization.id}/invitations`
    const email = `${unique('grace')}@example.com`
    const byKey = await call('POST', path, { key, body: { email, role: 'viewer' } })
    const others = await invite(organization, { id: '', userId: organization.ownerUserId })
    expect([own.status, byKey.status, others.status]).toEqual([201, 201, 201])
    expect([200, 204]).toContain((await end(organization, admin)).status)
    expect((await pending(organization)).map(({ id }) => id)).toEqual([others.body.id])
    const log = await listed('/v1/activity?action=invitation.revoked', organization)
    expect(log.map(({ resource_id: id }) => id).sort()).toEqual([own.body.id, byKey.body.id].sort())
    expect((await accept(own)).status).toBe(400)
    expect((await accept(others)).status).toBe(200)
  })

  it('is not left behind when it is made while its maker is removed', async () => {
    const organization = await createOrganization()
    const admin = await memberWithRole(organization, 'admin')
    const making = Array.from({ length: 10 }, () => invite(organization, admin))
    const [removed, ...made] = await Promise.all([remove(organization, admin), ...making])
    expect(removed.status).toBe(204)
    expect(made.every(({ status }) => [201, 403].includes(status))).toBe(true)
    expect(await pending(organization)).toEqual([])
  })
})
