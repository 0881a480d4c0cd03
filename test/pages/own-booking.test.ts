import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { formOf, linksOf, SITE, visit, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** Somebody books a time on its page; `Cookie` is what their browser keeps of that. */
async function bookOnPage() {
  const organization = await createOrganization()
  const eventType = await createEventType(organization.liveKey, { booking_page_enabled: true })
  const path = `/book/${organization.slug}/${eventType.slug}?tz=UTC&time=${iso(SLOT)}`
  const form = formOf(await visit(path), '/book/')
  const filled = { ...form.fields, name: 'Ada', email: 'ada@example.com' }
  const answer = await visit(form.action, { form: filled })
  const Cookie = answer.headers
    .getSetCookie()
    .find((one) => one.startsWith('hf_booked='))!
    .split(';')[0]!
  const to = new URL(answer.headers.get('location')!, SITE)
  const id = to.pathname.split('/').at(-1)!
  return { eventType, path, form, filled, Cookie, id, token: to.searchParams.get('token')! }
}

it('a taken time is shown as the visitor’s own only while their booking is active and holds it', async () => {
  for (const [action, body] of [
    ['cancel', {}],
    ['reschedule', { new_start_time: iso(SLOT + HOUR_MS) }],
  ] as const) {
    const { eventType, path, Cookie, id, token } = await bookOnPage()
    expect(wordsOf(await visit(path, { headers: { Cookie } }))).toContain('You have booked')
    await call('POST', `/v1/bookings/${id}/${action}?token=${token}`, { body })
    await book(eventType.id, SLOT)
    const page = await visit(path, { headers: { Cookie } })
    expect([action, wordsOf(page)]).toEqual([action, expect.stringContaining('was just booked')])
    expect(wordsOf(page)).not.toContain('You have booked')
  }
})

it('a taken time is not shown as the visitor’s own if the cookie is invalid', async () => {
  const { path, id, token } = await bookOnPage()
  for (const value of [`${SLOT}.${id}.wrong`, `${SLOT}.../../x.${token}`, `${SLOT}.${id}`, '%', '..']) {
    const page = await visit(path, { headers: { Cookie: `hf_booked=${value}` } })
    expect([page.status, wordsOf(page)]).toEqual([200, expect.stringContaining('was just booked')])
    expect(linksOf(page).filter((href) => href.includes('/booked/'))).toEqual([])
  }
})

it('a visitor who changes the form and sends it again sees their booking, and is offered no second one', async () => {
  const { form, filled, Cookie } = await bookOnPage()
  const again = await visit(form.action, { form: { ...filled, name: 'Ada L.' }, headers: { Cookie } })
  expect([again.status, wordsOf(again)]).toEqual([409, expect.stringContaining('You have booked')])
  expect(linksOf(again).some((href) => href.includes('/booked/'))).toBe(true)
  expect(again.text).not.toContain('type="radio"')
  expect(wordsOf(again)).not.toContain('Confirm booking')
  expect(wordsOf(again)).toContain('Choose another time')
})
