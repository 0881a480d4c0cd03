import { refuse } from './refuse.ts'

/** docs.stripe.com/currencies#minimum-and-maximum-charge-amounts, in the smallest unit. */
const MINIMUMS: Readonly<Record<string, number>> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
}

/** docs.stripe.com/currencies#zero-decimal; ISK and UGX still have two decimals. */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))

/** docs.stripe.com/currencies#three-decimal */
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '))

/** What else can be presented; what must convert to at least 50 cents, roughly by these rates to the dollar. */
const RATES: Readonly<Record<string, number>> = {
  bhd: 2.65,
  jod: 1.41,
  kwd: 3.25,
  omr: 2.6,
  tnd: 0.32,
  krw: 0.00073,
  vnd: 0.00004,
  clp: 0.001,
  isk: 0.0072,
  zar: 0.054,
  try: 0.029,
  ils: 0.27,
  php: 0.0175,
  idr: 0.000062,
  twd: 0.031,
  cop: 0.00024,
  pen: 0.27,
  ars: 0.001,
  sar: 0.27,
  qar: 0.27,
  egp: 0.02,
  ngn: 0.00065,
  kes: 0.0077,
  uah: 0.024,
  ugx: 0.00027,
  bif: 0.00034,
  djf: 0.0056,
  gnf: 0.00012,
  kmf: 0.0022,
  mga: 0.00022,
  pyg: 0.00013,
  rwf: 0.0007,
  vuv: 0.0084,
  xaf: 0.0016,
  xof: 0.0016,
  xpf: 0.009,
  cny: 0.14,
  mad: 0.1,
  rsd: 0.0092,
  gel: 0.37,
}

function isCurrency(currency: string): boolean {
  return currency in MINIMUMS || currency in RATES
}

/** `USD` is taken as `usd`. docs.stripe.com/currencies */
export function checkCurrency(currency: string): string {
  const known = currency.toLowerCase()
  if (!isCurrency(known))
    throw refuse(
      `Invalid currency: ${currency}. Stripe currently supports these currencies: ${[...Object.keys(MINIMUMS), ...Object.keys(RATES)].join(', ')}`,
      { param: 'currency' },
    )
  return known
}

export function stepOf(currency: string): number {
  return THREE_DECIMAL.has(currency) ? 10 : 1
}

/** The last digit of three decimals is 0; which error it is otherwise the documentation leaves open. */
export function checkStep(amount: number, currency: string, param: string): void {
  if (amount % stepOf(currency) !== 0)
    throw refuse(
      `Invalid amount: ${amount}. Amounts in ${currency} must have 0 as their least significant digit.`,
      { param, code: 'invalid_charge_amount' },
    )
}

/** opencollective/opencollective-api#10662, cartalyst/stripe#175; at most eight digits. */
export function checkCharge(amount: number, currency: string): void {
  if (amount < 1)
    throw refuse('This value must be greater than or equal to 1.', {
      param: 'amount',
      code: 'parameter_invalid_integer',
    })
  checkStep(amount, currency, 'amount')
  const least = MINIMUMS[currency]
  if (least !== undefined && amount < least)
    throw refuse(`Amount must be at least ${tellAmount(least, currency)}`, {
      param: 'amount',
      code: 'amount_too_small',
    })
  const cents = Math.round(inUnits(amount, currency) * (RATES[currency] ?? 1) * 100)
  if (least === undefined && cents < 50)
    throw refuse(
      `Amount must convert to at least 50 cents. ${tellAmount(amount, currency)} converts to approximately $${(cents / 100).toFixed(2)}.`,
      { param: 'amount', code: 'amount_too_small' },
    )
  if (amount > 99_999_999)
    throw refuse(`Amount must be no more than ${tellAmount(99_999_999, currency)}`, {
      param: 'amount',
      code: 'amount_too_large',
    })
}

function inUnits(amount: number, currency: string): number {
  return ZERO_DECIMAL.has(currency) ? amount : amount / (stepOf(currency) === 10 ? 1000 : 100)
}

export function tellAmount(amount: number, currency: string): string {
  const digits = ZERO_DECIMAL.has(currency) ? 0 : stepOf(currency) === 10 ? 3 : 2
  const told = inUnits(amount, currency).toFixed(digits)
  return currency === 'usd' ? `$${told}` : `${told} ${currency.toUpperCase()}`
}

/** 2.9 % + 30 cents, as for American cards. stripe.com/pricing */
export function stripeFee(amount: number, currency: string): number {
  const fixed = currency === 'usd' ? 30 : (MINIMUMS[currency] ?? 50) * 0.6
  const step = stepOf(currency)
  return Math.floor((amount * 0.029 + fixed) / step + 0.5) * step
}

/** The part of an application fee that goes back with a part of the charge; all of it in the end. */
export function partOf(fee: number, refunded: number, amount: number, currency: string): number {
  const step = stepOf(currency)
  return refunded >= amount ? fee : Math.floor((fee * refunded) / amount / step + 0.5) * step
}
