import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { iso } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { addressOf } from '../support/members.ts'
import { type Item, lettersTo } from '../support/outbox.ts'
import { visit } from '../support/pages.ts'
import { DAY_MS, FIRST, seriesWorld, weeks } from '../support/series.ts'

/** The events in the calendar file of an email. */
function eventsIn({ attachments }: Pick<Item, 'attachments'>) {
  const calendar = new ICAL.Component(ICAL.parse(attachments[0]!.content))
  const told = (event: ICAL.Component, name: string) => event.getFirstPropertyValue(name)?.toString() ?? null
  return {
    method: calendar.getFirstPropertyValue('method'),
    events: calendar.getAllSubcomponents('vevent').map((event) => ({
      uid: told(event, 'uid'),
      sequence: Number(told(event, 'sequence')),
      status: told(event, 'status'),
      start: told(event, 'dtstart'),
      description: told(event, 'description'),
      attendees: event.getAllProperties('attendee').length,
    })),
  }
}

/** The dates that a page lists. */
function datesIn(text: string): number {
  return /<ol class="dates">(.*?)<\/ol>/s.exec(text)![1]!.match(/<li/g)!.length
}

const asUtc = (start: string) => start.replace('.000Z', 'Z')

describe('the emails of a series', () => {
  it('are one to the invitee and one to the owner, each with all bookings as separate events', async () => {
    const { weekly, key, email, ownerEmail } = await seriesWorld()
    const { body } = await weekly(3)
    const [letter] = await lettersTo(key, email, 1)
    expect(letter!.subject).toContain('Intro call (3×)')
    for (const { id, cancel_token } of body.bookings) {
      expect(letter!.body).toContain(`/bookings/${id}?token=${cancel_token}`)
    }
    expect(letter!.body).toContain(`/bookings/series/${body.id}?token=${body.cancel_token}`)
    const file = eventsIn(letter!)
    expect(file.method).toBe('PUBLISH')
    expect(file.events.map(({ start }) => start)).toEqual(weeks(3).map(asUtc))
    expect(file.events.every(({ sequence, status }) => sequence === 0 && status === 'CONFIRMED')).toBe(true)
    expect(new Set(file.events.map(({ uid }) => uid)).size).toBe(3)
    expect(file.events[1]!.description).toContain(body.bookings[1].cancel_token)
    expect(file.events[1]!.attendees).toBe(0)
    const [owner] = await lettersTo(key, ownerEmail, 1)
    expect(owner!.subject).toContain('Intro call (3×)')
    expect(eventsIn(owner!).events).toHaveLength(3)
    const [one] = body.bookings
    await call('POST', `/v1/bookings/${one.id}/reschedule`, {
      key,
      body: { new_start_time: iso(FIRST + DAY_MS) },
    })
    const [, moved] = await lettersTo(key, email, 2)
    const after = eventsIn(moved!)
    expect(after.events).toMatchObject([{ uid: file.events[0]!.uid, sequence: 1 }])
  })

  it('give each host what they host, and the owner everything', async () => {
    const world = await seriesWorld({ assignment_strategy: 'round_robin' })
    await addHosts(world.organization, world.key, world.id, 2)
    const { body } = await world.weekly(4)
    const addresses = body.bookings.map((one: any) => addressOf(one.assigned_host))
    const hosts = [...new Set<string>(await Promise.all(addresses))]
    expect(hosts).toHaveLength(2)
    for (const host of hosts) {
      const [letter] = await lettersTo(world.key, host, 1)
      expect([letter!.subject.includes('(2×)'), eventsIn(letter!).events.length]).toEqual([true, 2])
    }
    const [owner] = await lettersTo(world.key, world.ownerEmail, 1)
    expect(eventsIn(owner!).events).toHaveLength(4)
  })

  it('are one when it is cancelled, which cancels the same events', async () => {
    const { weekly, cancel, key, email, ownerEmail } = await seriesWorld()
    const { body } = await weekly(3)
    const [made] = await lettersTo(key, email, 1)
    await cancel(body.id, { from: weeks(2)[1], reason: 'Moved away' })
    const [, letter] = await lettersTo(key, email, 2)
    expect(letter!.body).toContain('Moved away')
    const isOfSeparate = [made, letter].map((one) =>
      one!.body.includes('rescheduled or cancelled separately'),
    )
    expect(isOfSeparate).toEqual([true, false])
    const file = eventsIn(letter!)
    expect(file.method).toBe('PUBLISH')
    expect(file.events.map(({ uid, sequence, status }) => [uid, sequence, status])).toEqual(
      eventsIn(made!)
        .events.slice(1)
        .map(({ uid }) => [uid, 1, 'CANCELLED']),
    )
    expect(await lettersTo(key, ownerEmail, 2)).toHaveLength(2)
  })

  it('ask once for an approval, by a link that decides about all', async () => {
    const { weekly, key, email, ownerEmail, booked } = await seriesWorld({ requires_approval: true })
    const { body } = await weekly(3)
    const [asked] = await lettersTo(key, email, 1)
    expect([asked!.attachments.length, asked!.body.includes('Waiting for approval')]).toEqual([0, true])
    const [letter] = await lettersTo(key, ownerEmail, 1)
    const links = letter!.body.match(/\/requests\/\S+/g)!
    expect(new Set(links).size).toBe(1)
    const url = new URL(links[0]!, 'https://holdfast.test')
    const page = await visit(url.pathname + url.search)
    expect(datesIn(page.text)).toBe(3)
    const { member = '', token = '' } = Object.fromEntries(url.searchParams)
    const decided = await visit(url.pathname, { form: { member, token, answer: 'approve' } })
    expect(decided.status).toBe(303)
    expect((await booked()).map(({ status }) => status)).toEqual(Array(3).fill('confirmed'))
    const [, confirmed] = await lettersTo(key, email, 2)
    expect(eventsIn(confirmed!).events).toHaveLength(3)
    expect(body.bookings).toHaveLength(3)
  })

  it('leave out invitees of a quiet series', async () => {
    const { weekly, key, email, ownerEmail } = await seriesWorld()
    await weekly(2, { notify: false })
    await lettersTo(key, ownerEmail, 1)
    expect(await lettersTo(key, email, 0)).toEqual([])
  })
})

describe('the page of a series', () => {
  it('lists its dates and cancels those from one on', async () => {
    const { weekly, booked } = await seriesWorld()
    const { body } = await weekly(3)
    const path = `/bookings/series/${body.id}`
    const page = await visit(`${path}?token=${body.cancel_token}`)
    expect([page.status, datesIn(page.text)]).toEqual([200, 3])
    for (const { cancel_token } of body.bookings) expect(page.text).not.toContain(cancel_token)
    const form = { token: body.cancel_token, from: weeks(3)[2]!, reason: 'On holiday' }
    expect((await visit(`${path}/cancel`, { form })).status).toBe(303)
    expect((await booked()).filter(({ status }) => status === 'cancelled')).toMatchObject([
      { start_time: weeks(3)[2], cancel_reason: 'On holiday' },
    ])
    expect((await visit(`${path}?token=${body.bookings[0].cancel_token}`)).status).toBe(404)
  })
})
