/** What the provider charges in, as ISO 4217 codes in lower case. Source: https://docs.stripe.com/currencies */
export const CURRENCIES: ReadonlySet<string> = new Set(
  `aed afn all amd aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf
  clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf
  idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop
  mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd
  scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd
  xcg xof xpf yer zar zmw`.split(/\s+/),
)

const THREE_DECIMALS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
/** These have no subunit, but are written with two decimals. */
const WHOLE_UNITS = new Set(['isk', 'ugx'])

/**
 * The provider takes amounts in the currency's smallest unit (cents; yen if there is nothing smaller), as multiples of
 * this: the last of three decimals must be 0.
 */
export function amountStep(currency: string): number {
  if (THREE_DECIMALS.has(currency)) return 10
  return WHOLE_UNITS.has(currency) ? 100 : 1
}

/**
 * The provider's minimum, in the smallest unit. For other currencies the minimum is that of the account's payout currency
 * at the day's exchange rate, which only the provider knows. Source:
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
const LEAST: Readonly<Record<string, number>> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1_500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1_000,
  usd: 50,
}

export function leastAmount(currency: string): number {
  return LEAST[currency] ?? 0
}

/** The largest amount of one payment, in the smallest unit. */
export const MAX_AMOUNT = 99_999_999
