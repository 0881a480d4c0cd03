import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { wordsOf } from '../support/pages.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000
const OFFICE = { id: 'office', kind: 'in_person', label: 'Our office', value: '12 Analytical Row' }

async function studio(places: readonly object[] = []) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { places })
  const browser = await enter(organization)
  const at = `/console/event-types/${id}`
  const get = async (path: string) => (await call('GET', path, { key: organization.liveKey })).body
  const places_ = async () => (await get(`/v1/event-types/${id}`)).places
  return { id, browser, at, get, places: places_ }
}

describe('the places of an event type in the console', () => {
  it('are added, changed and removed', async () => {
    const { browser, at, places } = await studio()
    const first = await browser.visit(at)
    await browser.send(first, at, { place0_kind: 'phone_in', place0_label: 'Call us', place0_value: '110' })
    expect(await places()).toEqual([{ id: 'phone_in', kind: 'phone_in', label: 'Call us', value: '110' }])
    const second = await browser.visit(at)
    await browser.send(second, at, { place0_label: 'Ring us', place1_kind: 'phone_out' })
    expect((await places()).map(({ id, label }: any) => [id, label])).toEqual([
      ['phone_in', 'Ring us'],
      ['phone_out', null],
    ])
    await browser.send(await browser.visit(at), at, { place0_kind: '' })
    expect((await places()).map(({ id }: any) => id)).toEqual(['phone_out'])
  })

  it('are refused at the row that is wrong', async () => {
    const { browser, at, places } = await studio()
    const wrong = await browser.send(await browser.visit(at), at, {
      place0_kind: 'custom',
      place0_value: 'x',
    })
    expect([wrong.status, wrong.text.includes('href="#places.0"')]).toEqual([422, true])
    expect(await places()).toEqual([])
  })

  it('are chosen for a new booking, and for one that exists', async () => {
    const { id, browser, get } = await studio([OFFICE, { kind: 'phone_out' }])
    const form = await browser.visit(`/console/bookings/new?type=${id}&from=${iso(SLOT).slice(0, 10)}`)
    const typed = { start: iso(SLOT), name: 'Ada', email: 'ada@example.com', zone: 'UTC' }
    const refused = await browser.send(form, '/console/bookings/new', { ...typed, place: 'phone_out' })
    expect([refused.status, refused.text.includes('id="phone-error"')]).toEqual([422, true])
    const called = { ...typed, place: 'phone_out', phone: '+49 30 901820' }
    const done = await browser.send(form, '/console/bookings/new', called)
    const path = done.headers.get('location')!.split('?')[0]!
    const booking = path.split('/').at(-1)!
    expect(await get(`/v1/bookings/${booking}`)).toMatchObject({
      place: { id: 'phone_out' },
      invitee_phone: '+4930901820',
    })
    expect(wordsOf(await browser.visit(path))).toContain('By phone: we call you')
    await browser.send(await browser.visit(`${path}/edit`), `${path}/edit`, { place: 'office' })
    expect(await get(`/v1/bookings/${booking}`)).toMatchObject({ place: OFFICE, location: OFFICE.value })
  })
})
