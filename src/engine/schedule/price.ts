import { amountStep, MAX_AMOUNT } from '../../core/currencies.ts'
import type { ShownPrice } from '../../platform/db/schema/bookings.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import type { EventTypeRow, Schedule } from './schedule.ts'

const FEE_PERCENT = 1

type Priced = Pick<EventTypeRow, 'priceAmount' | 'priceCurrency'>

/** The price per seat that is shown now; 0 if it is free. */
export function priceShown({ priceAmount, priceCurrency }: Priced): ShownPrice {
  return { amount: priceAmount ?? 0, currency: priceCurrency }
}

/** The price that a row keeps from when it was made, or today's if it keeps none. */
export function priceKept({ price }: { readonly price: ShownPrice | null }, eventType: Priced): ShownPrice {
  return price ?? priceShown(eventType)
}

/** A kept price in answers. */
export function presentPrice(price: ShownPrice | null) {
  const isFree = price === null || price.amount === 0
  return { price_amount: isFree ? null : price.amount, price_currency: isFree ? null : price.currency }
}

/** What a booking with this many seats costs; null if it is free. */
export function amountOf({ amount }: ShownPrice, seats: number): number | null {
  return amount === 0 ? null : amount * seats
}

type Expected = {
  readonly expected_amount?: number | undefined
  readonly expected_currency?: string | undefined
}

/** Why a booking is not made at a price that its caller does not expect. What is not said is not judged. */
export function refuseOtherPrice(price: ShownPrice, expected: Expected): Refusal | null {
  const { expected_amount: amount, expected_currency: currency } = expected
  const isSameAmount = amount === undefined || amount === price.amount
  const isSameCurrency =
    currency === undefined || (price.amount > 0 && currency.toLowerCase() === price.currency.toLowerCase())
  if (isSameAmount && isSameCurrency) return null
  const { price_amount, price_currency } = presentPrice(price)
  return because('price_changed', {
    expected: { amount: amount ?? null, currency: currency ?? null },
    actual: { amount: price_amount, currency: price_currency },
  })
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
  price: ShownPrice = priceShown(eventType),
): Refusal | null {
  const amount = amountOf(price, seats)
  if (amount === null) return null
  if (amount > MAX_AMOUNT) {
    return because('too_many_to_pay')
  }
  if (eventType.isTest || organization.paymentAccountId !== null) return null
  return because('no_payment_provider')
}
