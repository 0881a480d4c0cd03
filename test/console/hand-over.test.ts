import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function hosted(assignment_strategy: 'round_robin' | 'none', count: number) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const eventType = await createEventType(key, { assignment_strategy })
  const hosts = await addHosts(organization, key, eventType.id, count)
  const { body } = await book(eventType.id, SLOT)
  const browser = await enter(organization)
  const at = `/console/bookings/${body.id}`
  const read = async () => (await call('GET', `/v1/bookings/${body.id}`, { key })).body
  return { organization, key, eventType, hosts, booking: body, browser, at, read }
}

describe('a booking that is handed over in the console', () => {
  it('goes to a chosen host, which the page of the booking says', async () => {
    const { hosts, booking, browser, at, read } = await hosted('round_robin', 3)
    const page = await browser.visit(at)
    expect(page.text).toContain(`${at}/hand-over?type=${booking.event_type_id}`)
    const form = await browser.visit(`${at}/hand-over?type=${booking.event_type_id}`)
    const before = booking.assigned_host.member_id
    const others = hosts.filter((id) => id !== before)
    expect(hosts.filter((id) => form.text.includes(`value="${id}"`))).toEqual(others)
    expect(formOf(form, '/hand-over').fields.notify).toBe('on')
    const done = await browser.send(form, '/hand-over', { to: others[1]!, reason: 'I am ill' })
    expect(done.headers.get('location')).toBe(`${at}?done=handedOver`)
    const words = wordsOf(await browser.follow(done))
    expect(words).toContain('The booking was handed over, and the invitee was notified.')
    expect(words).toContain('Handed over by')
    expect(await read()).toMatchObject({
      assigned_host: { member_id: others[1] },
      reassigned_by: { type: 'member' },
    })
  })

  it('goes to anybody who is free, and without an email if the box is empty', async () => {
    const { booking, browser, at, read } = await hosted('round_robin', 2)
    const form = formOf(await browser.visit(`${at}/hand-over?type=${booking.event_type_id}`), '/hand-over')
    const { notify: _, ...fields } = form.fields
    const done = await browser.visit(form.action, { form: fields })
    expect(done.headers.get('location')).toBe(`${at}?done=handedOverQuietly`)
    expect((await read()).assigned_host.member_id).not.toBe(booking.assigned_host.member_id)
  })

  it('stays where it is if nobody else is free', async () => {
    const { key, eventType, booking, browser, at, read } = await hosted('round_robin', 2)
    await book(eventType.id, SLOT)
    await call('GET', `/v1/bookings/${booking.id}`, { key })
    const form = await browser.visit(`${at}/hand-over?type=${eventType.id}`)
    const refused = await browser.send(form, '/hand-over')
    expect([refused.status, refused.text.includes('id="to-error"')]).toEqual([409, true])
    expect((await read()).assigned_host.member_id).toBe(booking.assigned_host.member_id)
  })

  it('names who gives it up if several take part', async () => {
    const { key, eventType, hosts, organization, browser, at } = await hosted('none', 2)
    const [added] = await addHosts(organization, key, eventType.id, 1)
    const form = await browser.visit(`${at}/hand-over?type=${eventType.id}`)
    const none = await browser.send(form, '/hand-over', { to: added! })
    expect([none.status, wordsOf(none).includes('Choose who gives the booking up.')]).toEqual([422, true])
    const done = await browser.send(form, '/hand-over', { from: hosts[1]!, to: added! })
    expect(done.headers.get('location')).toBe(`${at}?done=handedOver`)
  })

  it('is not handed over by viewers, nor without hosts', async () => {
    const { organization, eventType, at } = await hosted('round_robin', 2)
    const { userId } = await memberWithRole(organization, 'viewer')
    const viewer = await enter(organization, userId)
    expect((await viewer.visit(`${at}/hand-over?type=${eventType.id}`)).status).toBe(403)
    expect((await viewer.visit(at)).text).not.toContain('/hand-over')
    const alone = await createEventType(organization.liveKey)
    const { body } = await book(alone.id, SLOT)
    const browser = await enter(organization)
    expect((await browser.visit(`/console/bookings/${body.id}`)).text).not.toContain('/hand-over')
  })

  it('is led to its form from an address without the event type, in German too', async () => {
    const { eventType, browser, at } = await hosted('round_robin', 2)
    const led = await browser.visit(`${at}/hand-over`)
    expect(led.headers.get('location')).toBe(`${at}/hand-over?type=${eventType.id}`)
    const german = { headers: { 'Accept-Language': 'de' } }
    const page = await browser.visit(`${at}/hand-over?type=${eventType.id}`, german)
    expect(wordsOf(page)).toContain('Buchung übergeben')
  })
})

describe('the page of a booking', () => {
  it('names its guests, the phone, the rules that were set aside and who cancelled it', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const { id } = await createEventType(key)
    const { body } = await call('POST', '/v1/bookings', {
      key,
      body: {
        event_type_id: id,
        start_time: iso(dayFromNow(3) + 10.1 * HOUR_MS),
        invitee_name: 'Ada',
        invitee_email: 'ada@example.com',
        invitee_phone: '+4930901820',
        guests: [{ email: 'bob@example.com', name: 'Bob B.' }],
        override: ['grid'],
      },
    })
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key })
    const words = wordsOf(await (await enter(organization)).visit(`/console/bookings/${body.id}`))
    for (const text of ['Bob B. bob@example.com', '+4930901820', 'at an unusual minute', 'Cancelled by'])
      expect(words).toContain(text)
  })

  it('warns that the booking needs a host', async () => {
    const { organization, key, booking, browser, at, eventType } = await hosted('round_robin', 1)
    const host = booking.assigned_host.member_id
    await call('DELETE', `/v1/organizations/${organization.id}/members/${host}`, { key })
    expect(wordsOf(await browser.visit(at))).toContain('Needs a host')
    const [added] = await addHosts(organization, key, eventType.id, 1)
    const form = await browser.visit(`${at}/hand-over?type=${eventType.id}`)
    expect((await browser.send(form, '/hand-over', { to: added! })).status).toBe(303)
    expect(wordsOf(await browser.visit(at))).not.toContain('Needs a host')
  })
})
