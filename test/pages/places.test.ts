import { describe, expect, it } from 'vitest'
import { typedPhone } from '../../src/pages/typed-phone.ts'
import { call } from '../support/app.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { formOf, visit, wordsOf } from '../support/pages.ts'

const SLOT = dayFromNow(2) + 10 * 3_600_000
const PLACES = [
  { id: 'office', kind: 'in_person', label: 'Our office', value: '12 Analytical Row' },
  { kind: 'video_a' },
  { kind: 'phone_out' },
  { kind: 'phone_in', value: '+44 1632 960001' },
]
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar']

async function offering(places: readonly object[] = PLACES) {
  const { liveKey: key, slug } = await createOrganization()
  const eventType = await createEventType(key, { booking_page_enabled: true, places })
  const path = `/book/${slug}/${eventType.slug}`
  const send = async (fields: Record<string, string>, lang = 'en') => {
    const form = formOf(await visit(`${path}?tz=UTC&lang=${lang}&time=${iso(SLOT)}`), path)
    const typed = { ...form.fields, name: 'Ada', email: 'ada@example.com', ...fields }
    return visit(form.action, { form: Object.entries(typed) })
  }
  const booked = async () => {
    const { body } = await call('GET', '/v1/bookings', { key })
    const [first] = body.data
    return first && (await call('GET', `/v1/bookings/${first.id}`, { key })).body
  }
  return { key, path, send, booked }
}

describe('the places on a booking page', () => {
  it('are offered by name, without the number that invitees call', async () => {
    const { path } = await offering()
    const page = await visit(`${path}?tz=UTC&time=${iso(SLOT)}`)
    const words = wordsOf(page)
    for (const text of [
      'Where to meet',
      'Our office',
      'Zoom',
      'By phone: we call you',
      'By phone: you call us',
    ]) {
      expect(words).toContain(text)
    }
    expect(page.text).not.toContain('960001')
  })

  it('are where it is booked, with the number to call as people write it', async () => {
    const { send, booked } = await offering()
    const { status } = await send({ place_id: 'phone_out', phone: ' 0049 (0)30 / 90-18.20 ' })
    expect([status, await booked()]).toEqual([
      303,
      expect.objectContaining({
        place: expect.objectContaining({ id: 'phone_out' }),
        invitee_phone: '+4930901820',
      }),
    ])
  })

  it('leave out a number that was typed for another place', async () => {
    const { send, booked } = await offering()
    expect((await send({ place_id: 'office', phone: '+4930901820' })).status).toBe(303)
    expect(await booked()).toMatchObject({ location: '12 Analytical Row', invitee_phone: null })
  })

  it.each(LANGUAGES)('say in %s what is missing, and keep what was typed', async (lang) => {
    const { send, booked } = await offering()
    const nowhere = await send({}, lang)
    expect([nowhere.status, nowhere.text.includes('id="place_id-error"')]).toEqual([422, true])
    const uncalled = await send({ place_id: 'phone_out', phone: '12' }, lang)
    expect([uncalled.status, uncalled.text.includes('id="phone-error"')]).toEqual([422, true])
    expect(uncalled.text).toMatch(/value="phone_out"[^>]*checked|checked[^>]*value="phone_out"/)
    expect(await booked()).toBeUndefined()
  })

  it('show a single one in the summary, and ask nothing', async () => {
    const { path, send } = await offering([PLACES[0]!])
    const page = await visit(`${path}?tz=UTC&time=${iso(SLOT)}`)
    expect(wordsOf(page)).toContain('12 Analytical Row')
    expect(page.text).not.toContain('name="place_id"')
    expect((await send({})).status).toBe(303)
  })

  it('are shown after booking, with the number to call', async () => {
    const { send } = await offering()
    const sent = await send({ place_id: 'phone_in' })
    const page = await visit(sent.headers.get('location')!)
    expect(wordsOf(page)).toContain('By phone: call +44 1632 960001')
  })

  it('are in the Markdown version, with a call that names one', async () => {
    const { path } = await offering()
    const { text } = await visit(`${path}.md`)
    expect(text).toContain('- `phone_out`: phone_out')
    expect(text).toContain('"place_id": "office"')
    expect(text).not.toContain('960001')
  })
})

describe('a phone number on a page', () => {
  it.each([
    ['+49 30 90-18.20', '+4930901820'],
    ['0044 (20) 7946/0018', '+442079460018'],
    ['+49 (0)30 901820', '+4930901820'],
    ['٠٠٩٦٦ ١١ ٢٣٤ ٥٦٧٨', '+966112345678'],
    ['＋８１ ３ １２３４ ５６７８', '+81312345678'],
    ['\u202a+966 11 234 5678\u202c', '+966112345678'],
    ['030 901820', '030901820'],
    ['call me', 'callme'],
  ])('is read from %s', (typed, number) => {
    expect(typedPhone(typed)).toBe(number)
  })
})
