import type { Refusal } from '../http/errors.ts'
import { amountStep, MAX_AMOUNT } from '../providers/stripe/currencies.ts'
import type { EventTypeRow, Schedule } from './schedule.ts'

const FEE_PERCENT = 1

/** What a booking costs: the price is per seat. Null where it costs nothing. */
export function amountOf({ priceAmount }: Pick<EventTypeRow, 'priceAmount'>, seats: number): number | null {
  return priceAmount === null ? null : priceAmount * seats
}

/** The platform's share, rounded half up to what the provider takes of the currency. */
export function platformFeeOf(amount: number, currency: string): number {
  const step = amountStep(currency)
  return Math.floor((amount * FEE_PERCENT) / 100 / step + 0.5) * step
}

/** Why a booking of so many seats cannot be paid for, and so not be made. */
export function refusePayment(
  { eventType, organization }: Pick<Schedule, 'eventType' | 'organization'>,
  seats: number,
): Refusal | null {
  const amount = amountOf(eventType, seats)
  if (amount === null) return null
  if (amount > MAX_AMOUNT) {
    return { code: 'bad_request', message: 'This many seats cost more than one payment can be.' }
  }
  if (eventType.isTest || organization.paymentAccountId !== null) return null
  const message = 'This event type has a price, but its organization has no connected payment provider.'
  return { code: 'bad_request', message }
}
