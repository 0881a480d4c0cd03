import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const MALFORMED = ['de_AT', 'x', 'english language', '', '-', 'i-klingon', 'de-u', 7, {}]

function setLocale({ id }: Organization, locale: unknown) {
  return callAsService('PATCH', `/v1/organizations/${id}`, { body: { locale } })
}

describe('the language of an invitee', () => {
  it("is what a booking asks for, with its region, else the organization's, at once after that changed", async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    let start = SLOT
    const told = async (locale?: string | null) => {
      start += HOUR_MS
      const { body } = await bookAsAnother(id, start, locale === undefined ? {} : { locale })
      const read = await call('GET', `/v1/bookings/${body.id}`, { key: organization.liveKey })
      expect(read.body.invitee_locale).toBe(body.invitee_locale)
      return body.invitee_locale
    }
    expect(await told()).toBe('en')
    expect(await told('de-at')).toBe('de-AT')
    expect(await told('ar-EG-u-nu-latn')).toBe('ar-EG')
    expect((await setLocale(organization, 'fr-CH')).body.locale).toBe('fr-CH')
    expect(await told()).toBe('fr-CH')
    expect(await told(null)).toBe('fr-CH')
    expect(await told('ja')).toBe('ja')
    expect(await told('pt-BR')).toBe('fr-CH')
    await setLocale(organization, 'pt-BR')
    expect(await told('nl')).toBe('en')
  })

  it('is kept by the waitlist and by the booking that results from it', async () => {
    const organization = await createOrganization()
    await setLocale(organization, 'es')
    const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
    const { body: first } = await bookAsAnother(id, SLOT)
    const join = (locale?: string) =>
      call('POST', '/v1/waitlist', {
        body: {
          event_type_id: id,
          start_time: iso(SLOT),
          invitee_name: 'Ada',
          invitee_email: `${unique('ada')}@example.com`,
          locale,
        },
      })
    expect((await join('ar')).body.invitee_locale).toBe('ar')
    expect((await join()).body.invitee_locale).toBe('es')
    await call('POST', `/v1/bookings/${first.id}/cancel?token=${first.cancel_token}`, { body: {} })
    const { body } = await call('GET', '/v1/bookings?status=confirmed', { key: organization.liveKey })
    expect(body.data.map((one: any) => one.invitee_locale)).toEqual(['ar'])
  })

  it('is refused if the tag is malformed', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
    for (const locale of MALFORMED) {
      const booked = await bookAsAnother(id, SLOT, { locale })
      const waiting = await call('POST', '/v1/waitlist', {
        body: { event_type_id: id, invitee_name: 'Ada', invitee_email: 'ada@example.com', locale },
      })
      for (const { status, body } of [booked, waiting, await setLocale(organization, locale)]) {
        expect([locale, status, body.error.code]).toEqual([locale, 400, 'validation_error'])
        expect(Object.keys(body.error.details)).toEqual(['locale'])
      }
    }
  })
})
