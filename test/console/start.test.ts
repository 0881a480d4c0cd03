import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization, unique } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { visit, wordsOf } from '../support/pages.ts'

const SETUP = {
  name: 'Ada’s Studio',
  timezone: 'Europe/Berlin',
  title: 'Erstgespräch',
  duration: '45',
  place: 'in_person',
  place_detail: 'Hauptstraße 1, Köln',
  from: '09:00',
  to: '12:30',
}

describe('the start', () => {
  it('leads from a new organization to a page where somebody can book', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.follow(await browser.visit('/console'))
    expect(wordsOf(page)).toContain('Three short steps')
    const slug = unique('ada')
    const answer = await browser.send(page, '/console/start', { ...SETUP, slug })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/start'])
    const ready = await browser.follow(answer)
    expect(ready.text).toContain(`${env.PUBLIC_URL}/book/${slug}`)
    const { body } = await call('GET', '/v1/event-types', { key: organization.liveKey })
    expect(body.data).toMatchObject([
      {
        title: 'Erstgespräch',
        slug: 'erstgesprach',
        duration_minutes: 45,
        timezone: 'Europe/Berlin',
        conferencing_provider: 'in_person',
        location: 'Hauptstraße 1, Köln',
      },
    ])
    const ofType = (path: string) =>
      call('GET', `/v1/event-types/${body.data[0].id}/${path}`, { key: organization.liveKey })
    expect((await ofType('availability')).body.rules).toEqual([])
    const { body: schedules } = await call('GET', '/v1/schedules', { key: organization.liveKey })
    expect(schedules.data).toMatchObject([{ member_id: null, is_default: true, name: 'Working hours' }])
    expect(schedules.data[0].rules[0]).toMatchObject({ start_time: '09:00', end_time: '12:30' })
    expect(body.data[0].bookable).toEqual({ ok: true, reasons: [] })
    expect((await ofType('hosts')).body.data).toHaveLength(1)
    const booking = await visit(`/book/${slug}`)
    expect([booking.status, wordsOf(booking).includes('Ada’s Studio')]).toEqual([200, true])
    expect((await browser.visit('/console')).headers.get('location')).toBe('/console/overview')
    const { body: log } = await call('GET', '/v1/activity', { key: organization.liveKey })
    expect(log.data.find(({ action }: any) => action === 'event_type.created')).toMatchObject({
      actor_type: 'user',
      actor_id: organization.ownerUserId,
    })
  })

  it('creates one event type from a form that is sent twice', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/start')
    const fields = { ...SETUP, slug: organization.slug }
    const answers = await Promise.all([1, 2].map(() => browser.send(page, '/console/start', fields)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    const { body } = await call('GET', '/v1/event-types', { key: organization.liveKey })
    expect(body.data).toHaveLength(1)
  })

  it('shows errors at the field in the reader’s language, and keeps what was typed', async () => {
    const organization = await createOrganization()
    const other = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/start')
    const bad = { ...SETUP, slug: 'Not a slug!', title: '', from: '12:00', to: '09:00' }
    const first = await browser.send(page, '/console/start', bad)
    expect(first.status).toBe(422)
    expect(first.text).toContain('The end must be after the start.')
    expect(first.text).toContain('value="Hauptstraße 1, Köln"')
    const second = await browser.send(first, '/console/start', {
      ...SETUP,
      slug: 'Not a slug!',
      from: '09:00',
    })
    expect(second.text).toMatch(/id="slug-error"[\s\S]*?Must contain only lower-case letters/)
    const taken = await browser.send(page, '/console/start', { ...SETUP, slug: other.slug })
    expect([taken.status, taken.text.includes('This address (slug) is already taken')]).toEqual([409, true])
    const german = await browser.visit('/console/start', {
      form: {
        csrf: /name="csrf" value="([^"]*)"/.exec(page.text)![1]!,
        days: '1',
        ...SETUP,
        slug: 'so nicht',
        title: 'x',
      },
      headers: { 'Accept-Language': 'de' },
    })
    expect(german.text).toContain('Nur Kleinbuchstaben, Ziffern und Bindestriche.')
  })

  it('makes nothing of a form of which a part is refused, so that it is sent again as it should be', async () => {
    const organization = await createOrganization()
    const browser = await enter(organization)
    const page = await browser.visit('/console/start')
    const fields = { ...SETUP, slug: unique('ada') }
    const told = async () => {
      const { body: log } = await call('GET', '/v1/activity', { key: organization.liveKey })
      return log.data.filter(({ action }: any) => action !== 'member.signed_in')
    }
    const before = await told()
    for (const wrong of [
      { from: '09.00' },
      { title: 'x'.repeat(300) },
      { place: 'custom', place_detail: 'x' },
    ]) {
      const refused = await browser.send(page, '/console/start', { ...fields, ...wrong })
      expect([refused.status, refused.text.includes('class="problems"')]).toEqual([422, true])
    }
    expect(await told()).toEqual(before)
    expect((await browser.send(page, '/console/start', fields)).status).toBe(303)
  })

  it('is for administrators: other members change nothing', async () => {
    const organization = await createOrganization()
    for (const role of ['viewer', 'member'] as const) {
      const { userId } = await memberWithRole(organization, role)
      const browser = await enter(organization, userId)
      const page = await browser.visit('/console/start')
      expect(page.text).not.toContain('action="/console/start"')
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)![1]!
      const form = { csrf, days: '1', ...SETUP, slug: unique('mine') }
      expect((await browser.visit('/console/start', { form })).status).toBe(403)
    }
    const { body } = await call('GET', '/v1/event-types', { key: organization.liveKey })
    expect(body.data).toEqual([])
  })

  it('shows what helps next once there is something to book', async () => {
    const organization = await createOrganization()
    await createEventType(organization.liveKey)
    const page = await (await enter(organization)).visit('/console/start')
    expect(wordsOf(page)).toContain('Your booking page is ready')
    expect(page.text).not.toContain('Done')
  })

  it('ticks off what is done', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    await createEventType(key)
    const browser = await enter(organization)
    const done = async () => {
      const { text } = await browser.visit('/console/start')
      const steps = [...text.matchAll(/<li>.*?href="\/console\/([a-z-]+)".*?<\/li>/gs)]
      return steps.filter(([step]) => step.includes('Done')).map(([, area]) => area)
    }
    expect(await done()).toEqual([])
    await createEventType(key, { slug: unique('second') })
    await memberWithRole(organization, 'member')
    await call('PATCH', '/v1/branding', { key, body: { accent_color: '#336699' } })
    const everybody = { all: true, start: '2027-12-24', end: '2027-12-26' }
    expect((await call('POST', '/v1/time-off', { key, body: everybody })).status).toBe(201)
    expect(await done()).toEqual(['event-types', 'hours', 'team', 'page'])
  })
})
