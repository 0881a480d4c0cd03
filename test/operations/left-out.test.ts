import { describe, expect, it } from 'vitest'
import { eventTypeOf as calcomEventTypeOf } from '../../src/operations/imports/calcom/event-type-of.ts'
import { eventTypeOf as calendlyEventTypeOf } from '../../src/operations/imports/calendly/event-type-of.ts'
import { placesOf } from '../../src/operations/imports/places-of.ts'
import { leftOutTexts } from '../../src/operations/imports/whys.ts'

const LENGTHS = [15, 30, 45, 60, 75, 90]

const calendly = (more: object) => {
  const one = {
    ...{ uri: 'https://api.calendly.com/event_types/A', name: 'Talk', slug: 'talk', active: true },
    ...{ kind: 'solo' as const, pooling_type: null, type: 'StandardEventType', duration: 30, ...more },
  }
  return saidOf(calendlyEventTypeOf(one, [], new Map(), []))
}
const calcom = (more: object) => {
  const one = { id: 1, title: 'Talk', slug: 'talk', lengthInMinutes: 30, ...more }
  return saidOf(calcomEventTypeOf(one, [], new Map()))
}

function saidOf(found: ReturnType<typeof calendlyEventTypeOf>) {
  if (found.type !== 'event_type') throw new Error('It is left out as a whole')
  return found.leftOut.map((one) => [leftOutTexts(one).what, leftOutTexts(one, 'de').what])
}

describe('a place that is left out of an import', () => {
  it.each([
    ['gotomeeting_conference', 'GoTo Meeting', 'GoTo Meeting'],
    ['ask_invitee', 'where the invitee wants to meet', 'wo der Gast sich treffen möchte'],
    ['inbound_call', 'a call to an unknown number', 'ein Anruf unter einer unbekannten Nummer'],
    ['some_new_thing', 'Some New Thing', 'Some New Thing'],
  ])('has a name in both languages, such as %s of Calendly', (kind, en, de) => {
    expect(calendly({ locations: [{ kind }] })).toEqual([[`Place of Talk: ${en}`, `Ort von Talk: ${de}`]])
  })

  it.each([
    [{ type: 'integration', integration: 'cal-video' }, 'Cal Video', 'Cal Video'],
    [{ type: 'integration', integration: 'jitsi' }, 'Jitsi', 'Jitsi'],
    [{ type: 'attendeeAddress' }, 'the address of the invitee', 'die Adresse des Gasts'],
    [
      { type: 'organizersDefaultApp' },
      'the usual video app of the host',
      'die übliche Video-App des Gastgebers',
    ],
    [{ type: 'link', link: 'http://example.com' }, 'a link without https', 'ein Link ohne https'],
  ])('has a name in both languages, such as %o of Cal.com', (location, en, de) => {
    expect(calcom({ locations: [location] })).toEqual([[`Place of Talk: ${en}`, `Ort von Talk: ${de}`]])
  })

  it('is named if there are more than an event type has, and leaves room for others', () => {
    const codes = ['webex', ...Array.from({ length: 11 }, (_, at) => `room${at}`)]
    const { places, leftOut } = placesOf(
      'Talk',
      codes,
      (code) => (code === 'webex' ? null : { kind: 'in_person', value: code }),
      (code) => ({ name: code, isOfInvitee: false }),
    )
    expect(places.map(({ value }) => value)).toEqual(codes.slice(1, 11))
    expect(leftOut.map((one) => leftOutTexts(one))).toEqual([
      { what: 'Place of Talk: Webex', why: 'There is nothing like this place here.' },
      { what: 'Place of Talk: Room10', why: 'An event type has at most 10 places here.' },
    ])
  })
})

describe('further lengths of an event type', () => {
  it('are named when an import leaves them out', () => {
    const said = [['Durations of Talk', 'Dauern von Talk']]
    expect(calendly({ duration_options: LENGTHS })).toEqual(said)
    expect(calcom({ lengthInMinutesOptions: LENGTHS })).toEqual(said)
    expect(calcom({ lengthInMinutesOptions: LENGTHS.slice(1) })).toEqual([])
  })
})
