import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { dragEmail, membersOfDrag } from '../../src/booking/bookings/dragged/drag-email.ts'
import { selectAboutBooking } from '../../src/booking/bookings/queries.ts'
import { syncCalendar } from '../../src/calendars/sync/sync-calendar.ts'
import { writeToCalendar } from '../../src/calendars/writes/write-to-calendar.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { formOf, type Visited, visit, wordsOf } from '../support/pages.ts'
import { pretendAccount } from '../support/pretend-account.ts'
import { sentEmail } from '../support/sent-email.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** A booking whose event was moved by an hour, and the email to the owner about it. */
async function dragged(locale = 'en', stretchTo = 0) {
  const ownerEmail = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail })
  await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { locale } })
  const key = organization.liveKey
  const connectionId = await insertConnection(organization, 'live')
  const service = serviceWith({})
  const account = pretendAccount('work')
  const { id: eventTypeId } = await createEventType(key, { reminder_intervals: [] })
  const { body: made } = await service.book(eventTypeId, SLOT)
  const write = () =>
    writeToCalendar(service.env, { holderId: made.id, connectionId }, Date.now(), async () => account.client)
  const sync = async () => {
    await syncCalendar(service.env, connectionId, { since: 0, isForced: true }, async (calendar) =>
      account.client.openCalendar(calendar),
    )
    await write()
  }
  await write()
  await sync()
  const eventId = `${made.id}@holdfast`
  if (stretchTo === 0) account.moveBy(eventId, 'work', HOUR_MS)
  else
    account.stretch(
      eventId,
      'work',
      { start: dayFromNow(4), end: dayFromNow(4) + stretchTo },
      { isFree: false },
    )
  await sync()
  const get = async () => (await service.call('GET', `/v1/bookings/${made.id}`, { key })).body
  const [told] = await selectAboutBooking(openDb(env, 'decide'), made.id)
  const [person] = membersOfDrag(told!.people)
  const letter = await dragEmail(env, { booking: await get(), about: told!.about as never }, person!)
  const link = /^http\S+(\/requests\/\S+)$/m.exec(letter.text)![1]!
  return { ...service, ownerEmail, key, account, made, write, get, letter, link }
}

function press(page: Visited, answer: 'move' | 'restore') {
  const { action, fields } = formOf(page, '/event', `value="${answer}"`)
  return visit(action, { form: fields })
}

it('offers two buttons in the email, and decides nothing by being opened', async () => {
  const { letter, link, get } = await dragged()
  expect(letter.subject).toMatch(/^Moved in the calendar: /)
  expect([...letter.html!.matchAll(/<a class="fill button"/g)]).toHaveLength(2)
  expect(letter.text).toContain('Move the booking there:\nhttp')
  expect(letter.text).toContain('Put the event back:\nhttp')
  const before = await get()
  const page = await visit(link)
  expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
  expect(wordsOf(page)).toContain('A booking was moved in the calendar')
  expect(await get()).toEqual(before)
  expect((await visit(link.replace('token=', 'token=x'))).status).toBe(404)
})

it('sends the owner one email, and the invitee none', async () => {
  const { ownerEmail, made, key, env: of, call } = await dragged()
  const { body: feed } = await call('GET', '/v1/events?limit=100', { key })
  const event = feed.data.find((one: any) => one.event === 'booking.out_of_sync')
  expect(event).toMatchObject({ data: { id: made.id }, event_start: iso(SLOT + HOUR_MS) })
  const sent: any[] = []
  const EMAIL = { send: async (email: unknown) => void sent.push(sentEmail(email as never)) }
  await handleEvent({ ...of, EMAIL } as never, event.id)
  expect(sent.map(({ to, replyTo }) => [to, replyTo])).toEqual([[ownerEmail, 'ada@example.com']])
  expect(sent[0].subject).toMatch(/^Moved in the calendar: /)
})

it('moves the booking to its event', async () => {
  const { link, get, write, account } = await dragged()
  expect((await press(await visit(link), 'move')).status).toBe(303)
  expect(await get()).toMatchObject({
    status: 'rescheduled',
    start_time: iso(SLOT + HOUR_MS),
    out_of_sync: null,
    rescheduled_by: { type: 'member' },
  })
  await write()
  expect(account.startsIn('work')).toEqual([SLOT + HOUR_MS])
  expect(wordsOf(await visit(link))).toContain('Booking and calendar event are at the same time')
})

it('puts the event back', async () => {
  const { link, get, write, account, call, key } = await dragged()
  const page = await visit(link)
  expect((await press(page, 'restore')).status).toBe(303)
  expect(await get()).toMatchObject({ status: 'confirmed', start_time: iso(SLOT), out_of_sync: null })
  await write()
  expect(account.startsIn('work')).toEqual([SLOT])
  const { body } = await call('GET', '/v1/activity?action=booking.event_restored', { key })
  expect(body.data).toHaveLength(1)
  // A second press finds nothing to decide.
  expect((await press(page, 'restore')).status).toBe(409)
})

it('moves no booking to an event of whole days', async () => {
  const { link, letter } = await dragged('en', 24 * HOUR_MS)
  expect(letter.text).not.toContain('Move the booking there')
  const { text } = await visit(link)
  expect([text.includes('value="move"'), text.includes('value="restore"')]).toEqual([false, true])
})

it.each([
  ['de', 'Ein Termin wurde im Kalender verschoben'],
  ['fr', 'Un rendez-vous a été déplacé dans l’agenda'],
  ['es', 'Se ha movido una cita en el calendario'],
  ['ja', 'カレンダーで予約の日時が動かされました'],
  ['ar', 'نُقل حجز في التقويم'],
])('writes to the owner in their language, %s', async (locale, heading) => {
  expect((await dragged(locale)).letter.text).toContain(heading)
})
