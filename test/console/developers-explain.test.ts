import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { HOUR_MS } from '../../src/core/time-units.ts'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dateOf, dayFromNow } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { browserRequest, linksOf, wordsOf } from '../support/pages.ts'

const EXPLAIN = '/console/developers/explain'
const EVENTS = '/console/developers/events'
const DAY = dayFromNow(3)
const DATE = dateOf(DAY)

async function scene(timezone = 'UTC') {
  const organization = await createOrganization({ timezone })
  const eventType = await createEventType(organization.liveKey, { title: 'Intro call' })
  return { organization, eventType, key: organization.liveKey }
}

describe('a time that is explained in the console', () => {
  it('is open, or taken by a booking that it leads to, with the next open starts', async () => {
    const { organization, eventType } = await scene()
    const { body } = await book(eventType.id, DAY + 10 * HOUR_MS)
    const browser = await enter(organization)
    const open = wordsOf(await browser.visit(`${EXPLAIN}?type=${eventType.id}&date=${DATE}&time=12:00`))
    expect(open).toContain('This time can be booked')
    const taken = await browser.visit(`${EXPLAIN}?type=${eventType.id}&date=${DATE}&time=10:00`)
    expect(wordsOf(taken)).toContain('This time cannot be booked')
    expect(wordsOf(taken)).toContain('Another booking or its buffer takes the time')
    expect(wordsOf(taken)).toContain('Next available times')
    expect(linksOf(taken)).toContain(`/console/bookings/${body.id}`)
  })

  it('is entered in the member’s time zone', async () => {
    const { organization, eventType } = await scene('America/New_York')
    await book(eventType.id, DAY + 17 * HOUR_MS)
    const browser = await enter(organization)
    const offset = new Intl.DateTimeFormat('en', {
      timeZone: 'America/New_York',
      hour: 'numeric',
      hourCycle: 'h23',
    })
    const time = `${offset.format(DAY + 17 * HOUR_MS)}:00`
    const page = wordsOf(await browser.visit(`${EXPLAIN}?type=${eventType.id}&date=${DATE}&time=${time}`))
    expect(page).toContain('Another booking')
  })

  it('is explained for each host by name, and for a whole day without gaps', async () => {
    const { organization, eventType, key } = await scene()
    await addHosts(organization, key, eventType.id, 1)
    const browser = await enter(organization)
    const start = wordsOf(await browser.visit(`${EXPLAIN}?type=${eventType.id}&date=${DATE}&time=12:00`))
    expect(start).toContain('Hosts')
    const day = wordsOf(await browser.visit(`${EXPLAIN}?type=${eventType.id}&date=${DATE}`))
    expect(day).toContain('Whole day')
    const past = wordsOf(await browser.visit(`${EXPLAIN}?type=${eventType.id}&date=2020-01-01`))
    expect(past).toContain('All day The time is in the past')
  })

  it('is explained in German, and an invalid time is refused at its field', async () => {
    const { organization, eventType } = await scene()
    const browser = await enter(organization)
    const headers = { 'Accept-Language': 'de' }
    const path = `${EXPLAIN}?type=${eventType.id}&date=2020-01-01&time=10:00`
    expect(wordsOf(await browser.visit(path, { headers }))).toContain('Die Zeit liegt in der Vergangenheit')
    for (const [query, field] of [
      ['date=2026-02-30', 'date'],
      ['date=2026-02-20&time=25:61', 'time'],
      ['date=2026-02-20&seats=many', 'seats'],
      ['date=2026-02-20&duration=long', 'duration'],
    ]) {
      const page = await browser.visit(`${EXPLAIN}?type=${eventType.id}&${query}`)
      expect([page.status, page.text.includes(`id="${field}-error"`)]).toEqual([422, true])
      expect(page.text).toContain(`href="#${field}"`)
    }
    const noType = await browser.visit(`${EXPLAIN}?type=ada&date=${DATE}`)
    expect([noType.status, noType.text.includes('id="type-error"')]).toEqual([422, true])
    const stranger = await enter(await createOrganization())
    expect((await stranger.visit(`${EXPLAIN}?type=${eventType.id}&date=${DATE}`)).status).toBe(404)
  })
})

describe('the feed of events in the console', () => {
  it('shows the newest first, goes back page by page, and reads on from a sequence', async () => {
    const { organization, eventType, key } = await scene()
    for (let at = 0; at < 22; at++) {
      await book(eventType.id, DAY + at * HOUR_MS, { invitee_email: `ada${at}@example.com` })
    }
    const browser = await enter(organization)
    const sequencesOn = ({ text }: { readonly text: string }) =>
      [...text.matchAll(/<span class="badge">(\d+)<\/span>/g)].map(([, sequence]) => Number(sequence))
    const first = await browser.visit(EVENTS)
    const { body } = await call('GET', '/v1/events?limit=100', { key })
    const all = body.data.map(({ sequence }: { sequence: number }) => sequence)
    expect(sequencesOn(first)).toEqual(all.toReversed().slice(0, 20))
    expect(wordsOf(first)).toContain('"invitee_email": "ada21@example.com"')
    const next = await browser.visit(linksOf(first).find((link) => link.includes('before='))!)
    expect(sequencesOn(next)).toEqual(all.toReversed().slice(20))
    expect(sequencesOn(await browser.visit(`${EVENTS}?from=${all[19]}`))).toEqual(all.slice(20))
    expect((await browser.visit(`${EVENTS}?from=all`)).status).toBe(422)
    const stranger = await enter(await createOrganization())
    expect(wordsOf(await stranger.visit(EVENTS))).toContain('No events yet')
  })
})

describe('the screens that explain and list', () => {
  it('ask the database twice', async () => {
    const { organization, eventType } = await scene()
    await book(eventType.id, DAY + 10 * HOUR_MS)
    const browser = await enter(organization)
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const asked = `${EXPLAIN}?type=${eventType.id}&date=${DATE}`
    const told: [string, number][] = []
    for (const path of [EVENTS, `${EVENTS}?from=0`, EXPLAIN, `${asked}&time=12:00`, `${asked}&time=10:00`]) {
      const counted = countedEnv(env)
      const request = browserRequest(path, { headers: { Cookie } })
      expect((await answerConsole(request, counted.env, new URL(request.url).pathname)).status).toBe(200)
      told.push([path.split('?')[1] ?? '', counted.trips.count])
    }
    expect(told.map(([, trips]) => trips)).toEqual([2, 2, 2, 2, 2])
  })
})
