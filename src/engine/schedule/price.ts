import { amountStep, MAX_AMOUNT } from '../../core/currencies.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import type { EventTypeRow, Schedule } from './schedule.ts'

const FEE_PERCENT = 1

/** The price of a booking: per seat. Null if it is free. */
export function amountOf({ priceAmount }: Pick<EventTypeRow, 'priceAmount'>, seats: number): number | null {
  return priceAmount === null ? null : priceAmount * seats
}

/** The platform's share, rounded half up to an amount that the provider takes in the currency. */
export function platformFeeOf(amount: number, currency: string): number {
  return percentOf(amount, FEE_PERCENT, currency)
}

/** The refunded share of a fee: its part of everything that was refunded, rounded half up. */
export function feeShareOf(
  fee: number,
  refunded: number,
  { amount, currency }: { readonly amount: number; readonly currency: string },
): number {
  if (refunded >= amount) return fee
  const step = amountStep(currency)
  return Math.floor((2 * fee * refunded + amount * step) / (2 * amount * step)) * step
}

/** A percentage of an amount, rounded half up to an amount that the provider takes in the currency. */
export function percentOf(amount: number, percent: number, currency: string): number {
  const step = amountStep(currency)
  // Integers up to the one division, so that a half is exactly a half.
  return Math.floor((2 * amount * percent + 100 * step) / (200 * step)) * step
}

/** Why a booking with this many seats cannot be paid, and so not be made. */
export function refusePayment(
  { eventType, organization }: Pick<Schedule, 'eventType' | 'organization'>,
  seats: number,
): Refusal | null {
  const amount = amountOf(eventType, seats)
  if (amount === null) return null
  if (amount > MAX_AMOUNT) {
    return because('too_many_to_pay')
  }
  if (eventType.isTest || organization.paymentAccountId !== null) return null
  return because('no_payment_provider')
}
