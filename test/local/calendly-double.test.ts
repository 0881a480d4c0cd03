import { describe, expect, it } from 'vitest'
import { openCalendly } from '../../doubles/calendly/open-calendly.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from '../support/fresh-world.ts'

const { base, control } = freshWorld(openCalendly)

const tokenOf = (who: string) => `eyJraWQiOiJkb3VibGUifQ.${who}.signature`

async function get(path: string, who = 'ada', bearer = tokenOf(who)) {
  const url = path.startsWith('http') ? path : base() + path
  const response = await fetch(url, { headers: { Authorization: `Bearer ${bearer}` } })
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json }
}

const meOf = async (who = 'ada') => (await get('/users/me', who)).json.resource as Json

async function ofStudio(path: string, more = ''): Promise<Json> {
  const { current_organization } = await meOf()
  return (await get(`/${path}?organization=${encodeURIComponent(current_organization)}${more}`)).json
}

const names = (json: Json) => (json.collection as Json[]).map(({ name }) => name)

describe('tokens', () => {
  it('say who asks', async () => {
    const me = await meOf()
    expect(me).toMatchObject({ email: 'ada.berger@example.com', timezone: 'Europe/Berlin', locale: 'de' })
    expect(me.uri).toBe(`${base()}/users/ADAADAADAADAADAA`)
    expect((await get(new URL(me.uri).pathname.replace(/^\/double\/w\d+/, ''))).json.resource).toEqual(me)
  })

  it.each([
    ['invalid', 'is invalid'],
    ['expired', 'expired'],
    ['revoked', 'was revoked'],
  ])('are refused once %s', async (state, why) => {
    const { tokens } = await control('GET', '')
    if (state !== 'invalid') await control('PUT', '/tokens', [{ ...tokens[0], state }])
    const bearer = state === 'invalid' ? 'other' : tokens[0].token
    expect(await get('/users/me', 'ada', bearer)).toMatchObject({
      status: 401,
      json: { title: 'Unauthenticated', message: `The access token ${why}` },
    })
  })

  it('read no more than their scopes and the plan', async () => {
    const { tokens } = await control('GET', '')
    await control('PUT', '/tokens', [{ ...tokens[0], scopes: ['users:read'] }])
    expect((await ofStudio('event_types')).title).toBe('Permission Denied')
    await control('PUT', '/tokens', tokens)
    await control('PUT', '', { gatedPaths: ['/organization_memberships'] })
    expect((await ofStudio('organization_memberships')).message).toBe(
      'Please upgrade your Calendly account to Standard. You do not have permission to access this resource.',
    )
  })

  it('have so many requests in a minute, by the plan', async () => {
    await control('PUT', '', { requestsPerMinute: { paid: 2, free: 1 } })
    const first = await get('/users/me')
    expect(first.headers.get('X-RateLimit-Limit')).toBe('2')
    expect(first.headers.get('X-RateLimit-Remaining')).toBe('1')
    await get('/users/me')
    const third = await get('/users/me')
    expect(third).toMatchObject({ status: 429, json: { title: 'Too Many Requests' } })
    expect(third.headers.get('X-RateLimit-Remaining')).toBe('0')
    expect(Number(third.headers.get('X-RateLimit-Reset'))).toBeLessThanOrEqual(60)
    await get('/users/me', 'sol')
    expect((await get('/users/me', 'sol')).status).toBe(429)
  })
})

describe('organizations', () => {
  it('have members with roles', async () => {
    const { collection, pagination } = await ofStudio('organization_memberships')
    expect((collection as Json[]).map(({ role, user }) => [role, user.email])).toEqual([
      ['owner', 'ada.berger@example.com'],
      ['admin', 'ben.okafor@example.com'],
      ['user', 'Cem.Yilmaz@Example.com'],
    ])
    expect(pagination).toEqual({
      count: 3,
      next_page: null,
      previous_page: null,
      next_page_token: null,
      previous_page_token: null,
    })
  })

  it('are seen by their admins, and not from outside', async () => {
    const { current_organization: studio, uri } = await meOf()
    const path = `/event_types?organization=${studio}`
    expect((await get(path, 'ben')).status).toBe(200)
    expect((await get(path, 'cem')).json.message).toBe('You do not have permission')
    expect((await get(path, 'sol')).status).toBe(403)
    expect((await get(`/event_types?user=${uri}`, 'sol')).json.message).toBe(
      'This user is not in your organization',
    )
    expect((await get('/event_types')).json).toMatchObject({ title: 'Invalid Argument' })
    expect((await get('/event_types?user=ada')).json.details).toEqual([
      { parameter: 'user', message: 'is not a valid URI' },
    ])
  })
})

describe('event types', () => {
  it('are of one person or of a team, one or a group, standard or made for once', async () => {
    const { collection } = await ofStudio('event_types', '&count=100')
    const kinds = (collection as Json[]).map((one) => [one.name, one.kind, one.pooling_type, one.type])
    expect(kinds).toContainEqual(['Intro call', 'solo', null, 'StandardEventType'])
    expect(kinds).toContainEqual(['Open workshop', 'group', null, 'StandardEventType'])
    expect(kinds).toContainEqual(['Sales call', 'solo', 'round_robin', 'StandardEventType'])
    expect(kinds).toContainEqual(['Kick-off with everybody', 'solo', 'collective', 'StandardEventType'])
    expect(kinds).toContainEqual(['Pitch', 'solo', 'multi_pool', 'StandardEventType'])
    expect(kinds).toContainEqual(['Call with Ms Lovelace', 'solo', null, 'AdhocEventType'])
    expect(names({ collection })).toEqual([...names({ collection })].sort())
    expect(names({ collection })).not.toContain('Lesson')
  })

  it('have every kind of question and location', async () => {
    const { collection } = await ofStudio('event_types', '&count=100')
    const all = collection as Json[]
    const questions = all.flatMap(({ custom_questions }) => custom_questions as Json[])
    expect([...new Set(questions.map(({ type }) => type))].sort()).toEqual([
      'multi_select',
      'phone_number',
      'single_select',
      'string',
      'text',
    ])
    expect(questions.some(({ include_other }) => include_other)).toBe(true)
    expect(questions.some(({ enabled }) => !enabled)).toBe(true)
    const kinds = new Set(all.flatMap(({ locations }) => (locations ?? []) as Json[]).map(({ kind }) => kind))
    expect(kinds.size).toBe(10)
    expect(all.find(({ name }) => name === 'Consultation')!.duration_options).toEqual([30, 45, 60, 90])
  })

  it('have buffers since November 2026', async () => {
    const { collection } = await ofStudio('event_types', '&active=true')
    expect((collection as Json[]).find(({ name }) => name === 'Intro call')).toMatchObject({
      before_buffer: 5,
      after_buffer: 10,
      start_time_increment: 15,
    })
    await control('PUT', '', { eventTypeFields: 'without buffers' })
    expect((await ofStudio('event_types')).collection[0]).not.toHaveProperty('before_buffer')
  })

  it('are filtered by whether they are active and by their hosts', async () => {
    expect(names(await ofStudio('event_types', '&active=false'))).toEqual(['Summer special'])
    const cem = await meOf('cem')
    expect(names((await get(`/event_types?user=${cem.uri}`, 'cem')).json)).toEqual([
      '15 Minute Meeting',
      'Kick-off with everybody',
      'Pitch',
      'Sales call',
    ])
    const { collection } = await ofStudio('event_types', '&sort=name:desc')
    const pooled = (collection as Json[]).find(({ name }) => name === 'Pitch')!
    const hosts = (await get(`/event_type_memberships?event_type=${pooled.uri}`)).json
    expect((hosts.collection as Json[]).map(({ member }) => member.name)).toEqual([
      'Ada Berger',
      'Cem Yılmaz',
    ])
  })
})

describe('availability', () => {
  it('has seven rules of days and others of dates, in a zone of its own', async () => {
    const { uri } = await meOf()
    const { json } = await get(`/user_availability_schedules?user=${uri}`)
    expect(json).not.toHaveProperty('pagination')
    const [hours, evenings] = json.collection as [Json, Json]
    expect(hours).toMatchObject({ default: true, timezone: 'Europe/Berlin' })
    expect((hours.rules as Json[]).filter(({ type }) => type === 'wday')).toHaveLength(7)
    expect(hours.rules[0]).toEqual({ type: 'wday', intervals: [], wday: 'sunday' })
    expect((hours.rules as Json[]).filter(({ type }) => type === 'date')).toHaveLength(3)
    expect(evenings).toMatchObject({ default: false, timezone: 'Europe/London' })
    expect((await get(`/user_availability_schedules?user=${uri}`, 'cem')).status).toBe(403)
  })
})

describe('scheduled events', () => {
  it('are turned in pages, whose addresses repeat the query', async () => {
    await control('POST', '/schedule', { count: 45 })
    const first = await ofStudio('scheduled_events', '&status=active&sort=start_time:asc')
    expect(first.pagination.count).toBe(20)
    const seen = [...(first.collection as Json[])]
    let at: Json = first
    while (at.pagination.next_page) {
      expect(at.pagination.next_page).toContain(`page_token=${at.pagination.next_page_token}`)
      expect(at.pagination.next_page).toContain('status=active')
      at = (await get(at.pagination.next_page)).json
      seen.push(...at.collection)
    }
    expect(at.pagination.previous_page_token).not.toBeNull()
    expect(new Set(seen.map(({ uri }) => uri)).size).toBe(seen.length)
    expect(seen.map(({ start_time }) => start_time)).toEqual(seen.map(({ start_time }) => start_time).sort())
    expect(seen.length).toBe(45 + 11)
  })

  it('refuse wrong pages and times', async () => {
    expect((await ofStudio('scheduled_events', '&page_token=x')).details[0].parameter).toBe('page_token')
    expect((await ofStudio('scheduled_events', '&count=101')).details[0].parameter).toBe('count')
    expect((await ofStudio('scheduled_events', '&min_start_time=now')).details[0].parameter).toBe(
      'min_start_time',
    )
  })

  it('are those of a user only together with the organization', async () => {
    const [me, cem] = [await meOf(), await meOf('cem')]
    expect((await get(`/scheduled_events?user=${cem.uri}`)).status).toBe(403)
    const both = `/scheduled_events?organization=${me.current_organization}&user=${cem.uri}`
    expect(names((await get(both)).json).sort()).toEqual(['15 Minute Meeting', 'Kick-off with everybody'])
    expect(names((await get(`/scheduled_events?user=${cem.uri}`, 'cem')).json)).toHaveLength(2)
  })

  it('end with a moved invitee, whom another event has', async () => {
    const { collection } = await ofStudio('scheduled_events', '&status=canceled')
    const [, old] = collection as [Json, Json]
    const path = `/scheduled_events/${old.uri.split('/').at(-1)}`
    const [was] = (await get(`${path}/invitees`)).json.collection as [Json]
    expect(was).toMatchObject({ status: 'canceled', rescheduled: true, old_invitee: null })
    const now = (await get(was.new_invitee)).json.resource as Json
    expect(now).toMatchObject({ status: 'active', rescheduled: false, old_invitee: was.uri })
    expect((await get(now.event)).json.resource).toMatchObject({ status: 'active' })
  })

  it('have invitees with answers, zones and ends of their own', async () => {
    const { collection } = await ofStudio('scheduled_events')
    const group = (collection as Json[]).find(({ name }) => name === 'Open workshop')!
    expect(group.invitees_counter).toEqual({ total: 3, active: 2, limit: 8 })
    expect(group.start_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    const invitees = (await get(`${group.uri}/invitees`)).json.collection as Json[]
    expect(invitees.map(({ status }) => status)).toEqual(['active', 'canceled', 'active'])
    expect((await get(`${group.uri}/invitees?status=active`)).json.collection).toHaveLength(2)
    expect((await get(`${group.uri}/invitees`, 'sol')).json.message).toBe(
      'You are not allowed to view this event',
    )
  })

  it('outlive their event type', async () => {
    const { collection } = await ofStudio('scheduled_events')
    const orphan = (collection as Json[]).find(({ name }) => name === 'Old format')!
    expect((await get(orphan.event_type)).json.title).toBe('Resource Not Found')
  })

  it('have addresses at another origin, if a test wants them there', async () => {
    await control('PUT', '', { origin: 'https://api.calendly.com' })
    const me = await meOf()
    expect(me.uri).toBe('https://api.calendly.com/users/ADAADAADAADAADAA')
    const { json } = await get(`/scheduled_events?organization=${me.current_organization}&count=2`)
    expect(json.pagination.next_page).toMatch(/^https:\/\/api\.calendly\.com\/scheduled_events\?/)
  })

  it('change as their owner changes them', async () => {
    await control('PUT', '/objects/event_types/INTROCALLINTROCA', { name: 'First call' })
    await control('DELETE', '/objects/event_types/OFFOFFOFFOFFOFFO')
    const all = names(await ofStudio('event_types'))
    expect(all).toContain('First call')
    expect(all).not.toContain('Summer special')
  })
})
