/** What the provider charges in, as ISO 4217 codes in lower case. Source: https://docs.stripe.com/currencies */
export const CURRENCIES: ReadonlySet<string> = new Set(
  `aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf
  clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl hrk htg huf
  idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop
  mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd
  scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd
  xof xpf yer zar zmw`.split(/\s+/),
)

const THREE_DECIMALS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
/** These have no subunit, but are written with two decimals. */
const WHOLE_UNITS = new Set(['isk', 'ugx'])

/**
 * The provider takes amounts in the currency's smallest unit (cents; yen where there is nothing smaller), as
 * multiples of this: the last of three decimals must be 0.
 */
export function amountStep(currency: string): number {
  if (THREE_DECIMALS.has(currency)) return 10
  return WHOLE_UNITS.has(currency) ? 100 : 1
}

/** The largest amount of one payment, in the smallest unit. */
export const MAX_AMOUNT = 99_999_999
