import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { memberWithRole } from '../support/members.ts'
import { formOf, unescaped, visit, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function booked(input: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, input)
  const { body } = await book(eventType.id, SLOT, fields)
  const browser = await enter(organization)
  const at = `/console/bookings/${body.id}`
  const read = async () => (await call('GET', `/v1/bookings/${body.id}`, { key: organization.liveKey })).body
  return { organization, eventType, booking: body, browser, at, read }
}

/** Whether a change was made without emails. */
async function isQuiet(id: string): Promise<boolean> {
  const select = env.DB.prepare('SELECT count(*) AS n FROM letter_keys WHERE once_key LIKE ?')
  return (await select.bind(`${id}/quiet/%`).first<number>('n')) === 1
}

describe('a booking that is edited in the console', () => {
  it('gets a new name, phone, place, link, guests and notes', async () => {
    const { browser, at, read } = await booked()
    const form = await browser.visit(`${at}/edit`)
    const done = await browser.send(form, '/edit', {
      name: 'Ada King',
      phone: '+49 (30) 901-820',
      location: 'Room 4',
      link: 'https://meet.example.com/ada',
      guests: 'Bob B. <bob@example.com>\n\ncarol@example.com',
      notes: 'By the door',
    })
    expect(done.headers.get('location')).toBe(`${at}?done=edited`)
    expect(wordsOf(await browser.follow(done))).toContain('The changes were saved.')
    expect(await read()).toMatchObject({
      invitee_name: 'Ada King',
      invitee_phone: '+4930901820',
      location: 'Room 4',
      conferencing_url: 'https://meet.example.com/ada',
      guests: [{ name: 'Bob B.', email: 'bob@example.com' }, { email: 'carol@example.com' }],
      notes: 'By the door',
    })
    const again = formOf(await browser.visit(`${at}/edit`), '/edit').fields
    expect(again.guests).toBe('Bob B. <bob@example.com>\ncarol@example.com')
  })

  it('keeps what nobody touched, also if a colleague changed it since', async () => {
    const { organization, booking, browser, at, read } = await booked()
    const form = await browser.visit(`${at}/edit`)
    const body = { notes: 'A colleague wrote this' }
    await call('PATCH', `/v1/bookings/${booking.id}`, { key: organization.liveKey, body })
    expect((await browser.send(form, '/edit', { name: 'Ada King' })).status).toBe(303)
    expect(await read()).toMatchObject({ invitee_name: 'Ada King', notes: 'A colleague wrote this' })
  })

  it('loses what was emptied, and its old link with its old address', async () => {
    const { booking, browser, at, read } = await booked({}, { notes: 'Soon' })
    const form = await browser.visit(`${at}/edit`)
    await browser.send(form, '/edit', { notes: '', email: 'king@example.com' })
    expect(await read()).toMatchObject({ notes: null, invitee_email: 'king@example.com' })
    const old = await call('GET', `/v1/bookings/${booking.id}?token=${booking.cancel_token}`)
    expect(old.status).toBe(401)
  })

  it('says at each field what is wrong, and keeps what was typed', async () => {
    const { browser, at, read } = await booked({ max_guests: 1 })
    const form = await browser.visit(`${at}/edit`)
    const wrong = await browser.send(form, '/edit', {
      name: '',
      email: 'nobody',
      phone: '12',
      link: 'http://meet.example.com',
      guests: 'no address',
    })
    expect(wrong.status).toBe(422)
    for (const field of ['name', 'email', 'phone', 'link', 'guests'])
      expect(wrong.text).toContain(`id="${field}-error"`)
    expect(wrong.text).toContain('no address')
    const two = await browser.send(form, '/edit', { guests: 'bob@example.com\ncarol@example.com' })
    expect([two.status, two.text.includes('id="guests-error"')]).toEqual([422, true])
    expect(await read()).toMatchObject({ guests: [] })
  })

  it('is edited in German', async () => {
    const { browser, at } = await booked()
    const page = await browser.visit(`${at}/edit`, { headers: { 'Accept-Language': 'de' } })
    expect(wordsOf(page)).toContain('Begleitpersonen')
  })

  it('is not edited once it is cancelled, or by viewers', async () => {
    const { organization, booking, browser, at } = await booked()
    const { userId } = await memberWithRole(organization, 'viewer')
    const viewer = await enter(organization, userId)
    expect((await viewer.visit(`${at}/edit`)).status).toBe(403)
    const seen = await viewer.visit(at)
    expect(['/edit"', '/link"', '/resend"'].filter((part) => seen.text.includes(at + part))).toEqual([])
    const form = await browser.visit(`${at}/edit`)
    await call('POST', `/v1/bookings/${booking.id}/cancel`, { key: organization.liveKey })
    expect((await browser.visit(at)).text).not.toContain(`${at}/edit`)
    expect((await browser.send(form, '/edit', { name: 'Ada King' })).status).toBe(409)
  })
})

describe('the invitee of a booking', () => {
  it.each([
    ['edited', 'edit', { location: 'Room 4' }, 'edited', 'edited'],
    ['cancelled', '', {}, 'wasCancelled', 'wasCancelledQuietly'],
    ['moved', 'move', { start: iso(SLOT + HOUR_MS) }, 'moved', 'movedQuietly'],
  ] as const)('is notified that it was %s, unless the box is empty', async (_, rest, fields, loud, quiet) => {
    for (const isTold of [true, false]) {
      const { eventType, booking, browser, at } = await booked()
      const query = rest === 'move' ? `?type=${eventType.id}&duration=30&from=${iso(SLOT).slice(0, 10)}` : ''
      const form = await browser.visit(`${at}${rest && `/${rest}`}${query}`)
      const { action, fields: filled } = formOf(form, rest || 'cancel')
      expect(filled.notify).toBe('on')
      const { notify, ...without }: Record<string, string> = { ...filled, ...fields }
      const done = await browser.visit(action, { form: isTold ? { notify: notify!, ...without } : without })
      expect(done.headers.get('location')).toBe(`${at}?done=${isTold ? loud : quiet}`)
      expect(await isQuiet(booking.id)).toBe(!isTold)
    }
  })

  it('is not offered an email where the organization sends its own', async () => {
    const { organization, browser, at } = await booked()
    const body = { invitee_emails: 'none' }
    await call('PATCH', `/v1/organizations/${organization.id}`, { key: env.SERVICE_KEY, body })
    const page = await browser.visit(at)
    expect(wordsOf(page)).toContain('Your organization sends its own emails to invitees.')
    expect(page.text).not.toContain(`${at}/resend`)
    const done = await browser.send(page, '/cancel')
    expect(done.headers.get('location')).toBe(`${at}?done=wasCancelledQuietly`)
  })

  it('has a link, which is shown once somebody asks for it', async () => {
    const { booking, browser, at } = await booked()
    const page = await browser.visit(at)
    expect(page.text).not.toContain(booking.cancel_token)
    const shown = await browser.send(page, '/link')
    const link = unescaped(/<code>(http[^<]+token=[^<]+)<\/code>/.exec(shown.text)![1]!)
    const { pathname, search } = new URL(link)
    expect([shown.status, search]).toEqual([200, `?token=${booking.cancel_token}`])
    expect((await visit(pathname + search)).status).toBe(200)
  })

  it('gets the confirmation again, with attendees and guests if that is ticked', async () => {
    const { organization, browser, at } = await booked({}, { guests: [{ email: 'bob@example.com' }] })
    const done = await browser.send(await browser.visit(at), '/resend')
    expect(wordsOf(await browser.follow(done))).toContain('The confirmation is being sent again.')
    await browser.send(await browser.visit(at), '/resend', { everybody: 'on' })
    const { body } = await call('GET', '/v1/activity?action=booking.emails_resent', {
      key: organization.liveKey,
    })
    expect(body.data.map((entry: { changes: unknown }) => entry.changes)).toEqual([
      { to: 'everybody', sent: 2 },
      { to: 'invitee', sent: 1 },
    ])
  })
})
