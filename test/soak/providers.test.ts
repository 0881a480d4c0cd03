import { describe, expect, it } from 'vitest'
import { auditCalendars } from './audit-calendars.ts'
import { auditMoney, comparePaid } from './audit-money.ts'
import { auditTexts } from './audit-texts.ts'
import type { CalendarEvent } from './calendars.ts'
import type { Json } from './caller.ts'
import type { World } from './kinds.ts'
import { Ledger, type Paid } from './ledger.ts'
import { startsOfDay } from './world.ts'

const DAY_MS = 86_400_000
const DAY = Math.floor(Date.now() / DAY_MS) + 10
const START = startsOfDay(DAY)[2]!
const SLOT_MS = startsOfDay(DAY)[1]! - startsOfDay(DAY)[0]!

const said = ({ findings }: Ledger) => findings.map((finding) => finding.split(':')[0]!)

describe('an audit of money', () => {
  const booked = {
    ...{ intent_id: 'pi_1', amount: 5_000, booking: 'confirmed', status: 'succeeded', shown: 'succeeded' },
    ...{ refunded_amount: 0, reserved_amount: 0, confirmed: 1, holds: 1 },
  }
  const cancelled = { booking: 'cancelled', holds: 0 }
  const back = { ...cancelled, status: 'refunded', shown: 'refunded', refunded_amount: 5_000 }
  const unpaid = { ...cancelled, status: 'cancelled', shown: 'cancelled', confirmed: 0 }
  const refund = (amount: number) => ({ payment_intent: 'pi_1', status: 'succeeded', amount })

  async function found(row: Json, intent: string, refunds: readonly number[] = []): Promise<string[]> {
    const ledger = new Ledger()
    const all = async () => ({ intents: [{ id: 'pi_1', status: intent }], refunds: refunds.map(refund) })
    await auditMoney(async () => [{ ...booked, ...row }], { all }, ledger)
    return said(ledger)
  }

  it('finds nothing in what is paid and confirmed once, or cancelled and paid back once, or never paid', async () => {
    expect(await found({}, 'succeeded')).toEqual([])
    expect(await found({ refunded_amount: 2_500 }, 'succeeded', [2_500])).toEqual([])
    expect(await found(back, 'succeeded', [2_500, 2_500])).toEqual([])
    expect(await found(unpaid, 'canceled')).toEqual([])
  })

  it.each<[string, Json, string, number[]]>([
    ['a payment is never decided', { booking: 'pending_payment' }, 'requires_payment_method', []],
    ['a paid booking without its time, or time without a booking', { holds: 0 }, 'succeeded', []],
    ['a paid booking without its time, or time without a booking', { ...unpaid, holds: 1 }, 'canceled', []],
    ['booked, and not paid for', {}, 'requires_payment_method', []],
    ['confirmed twice or never', { confirmed: 2 }, 'succeeded', []],
    ['confirmed twice or never', { confirmed: 0 }, 'succeeded', []],
    ['paid for, and neither booked nor paid back once', back, 'succeeded', []],
    ['paid for, and neither booked nor paid back once', back, 'succeeded', [5_000, 5_000]],
    ['paid back too much', {}, 'succeeded', [5_000, 100]],
    ['not booked, and still to be paid for', unpaid, 'requires_payment_method', []],
    ['another amount than the provider has', { refunded_amount: 100 }, 'succeeded', []],
    ['another amount than the provider has', { shown: 'pending' }, 'succeeded', []],
    ['another amount than the provider has', { reserved_amount: 100 }, 'succeeded', []],
    ['an intent of no payment', { ...unpaid, intent_id: null }, 'succeeded', []],
  ])('finds: %s (%#)', async (what, row, intent, refunds) => {
    expect(await found(row, intent, refunds)).toEqual([what])
  })

  it('finds paid bookings that are gone, doubled, refused or elsewhere', () => {
    const place = { organizationId: 'one', eventTypeId: 'type', start: new Date(START).toISOString() }
    const paid: Paid = {
      ...{ email: 'ada@example.com', isRefused: false, isPaid: true, ...place },
      ...{ id: 'booking', token: 'token', paymentId: 'payment', intentId: 'pi_1' },
    }
    const row = { id: 'booking', organization_id: 'one', event_type_id: 'type', start_time: START }
    const compare = (of: Partial<Paid>, ...stored: Json[]) => {
      const ledger = new Ledger()
      ledger.paid.push({ ...paid, ...of })
      comparePaid(new Map(stored.length > 0 ? [[paid.email, stored]] : []), ledger)
      return said(ledger)
    }
    expect(compare({}, row)).toEqual([])
    expect(compare({ id: null })).toEqual([])
    expect(compare({})).toEqual(['an acknowledged paid booking is gone'])
    expect(compare({}, row, row)).toEqual(['paid for twice'])
    const otherwise = ['a paid booking is not as it was acknowledged']
    expect(compare({}, { ...row, start_time: START + 1 })).toEqual(otherwise)
    expect(compare({}, { ...row, id: 'other' })).toEqual(otherwise)
    expect(compare({ id: null, isRefused: true }, row)).toEqual([
      'waits for a payment, though it was refused',
    ])
  })
})

describe('an audit of text messages', () => {
  const text = { id: 'booking', status: 'cancelled', texts: 1, attempts: 1, text: 'delivered' }

  async function found(row: Json, times: number): Promise<string[]> {
    const ledger = new Ledger()
    ledger.phones.set('booking', '+49301')
    const texts = async () => new Map(times > 0 ? [['+49301', times]] : [])
    await auditTexts(async () => [{ ...text, ...row }], { texts }, ledger)
    return said(ledger)
  }

  it('finds texts that are missing, too many or about nothing', async () => {
    expect(await found({}, 1)).toEqual([])
    expect(await found({ attempts: 2 }, 2)).toEqual([])
    expect(await found({ status: 'confirmed', texts: 0, attempts: null }, 0)).toEqual([])
    expect(await found({ texts: 0 }, 0)).toEqual(['texts unlike cancels'])
    expect(await found({ texts: 2 }, 2)).toEqual(['texts unlike cancels'])
    expect(await found({ status: 'confirmed' }, 1)).toEqual(['texts unlike cancels'])
    expect(await found({}, 0)).toEqual(['a text is never sent'])
    expect(await found({ text: 'pending' }, 1)).toEqual(['a text is never sent'])
    expect(await found({}, 2)).toEqual(['a text is sent more often than it was attempted'])
  })
})

describe('an audit of calendars', () => {
  const organization = { id: 'one', calendarTypeId: 'type' }
  const world = { organizations: [organization] } as unknown as World
  const event = (uid: string, startsAt = START, endsAt = startsAt + SLOT_MS): CalendarEvent => ({
    name: `${uid}.ics`,
    uid,
    startsAt,
    endsAt,
  })
  const ours = event('booking@holdfast')
  const live = {
    id: 'booking',
    status: 'confirmed',
    start_time: START,
    end_time: START + SLOT_MS,
    is_moved: 0,
  }

  async function found(
    bookings: readonly Json[],
    events: readonly CalendarEvent[],
    offers?: readonly number[],
  ) {
    const ledger = new Ledger()
    const isTaken = (start: number) =>
      events.some(({ startsAt, endsAt }) => startsAt <= start && start < endsAt) ||
      bookings.some(({ start_time }) => start_time === start)
    const offered = offers ?? startsOfDay(DAY).filter((start) => !isTaken(start))
    const slots = offered.map((start) => ({ start_time: new Date(start).toISOString() }))
    const reached = {
      caller: { must: async () => ({ slots }) },
      calendars: { eventsOf: async () => [...events] },
    }
    await auditCalendars(async () => [...bookings], reached, world, ledger)
    return said(ledger)
  }

  it('finds nothing if each booking has its event, and the rest is the host’s', async () => {
    expect(await found([live], [ours, event('own', startsOfDay(DAY)[5])])).toEqual([])
    const [, , , , , begin, , end] = startsOfDay(DAY)
    expect(await found([live], [ours, event('an hour', begin, end)])).toEqual([])
    const elsewhere = event(ours.uid, startsOfDay(DAY)[4])
    expect(await found([{ ...live, is_moved: 1 }], [elsewhere])).toEqual([])
  })

  it('finds missing, surplus and misplaced events', async () => {
    expect(await found([live], [])).toEqual(['a booking without its event'])
    expect(await found([live], [ours, ours])).toEqual(['several events of one booking'])
    const other = startsOfDay(DAY)[4]!
    expect(await found([live], [event(ours.uid, other)])).toEqual([
      'an event at another time than its booking',
    ])
    const gone = { ...live, status: 'cancelled' }
    expect(await found([gone], [ours])).toEqual(['an event of a cancelled booking'])
    expect(await found([], [ours])).toEqual(['an event of no booking'])
  })

  it('finds offers of what is taken, and free time that is not offered', async () => {
    const all = startsOfDay(DAY)
    const unlike = ['offers unlike the calendar']
    expect(await found([live], [ours], all)).toEqual(unlike)
    expect(await found([live], [ours], all.slice(3))).toEqual(unlike)
    expect(await found([], [event('own')], all)).toEqual(unlike)
  })
})
