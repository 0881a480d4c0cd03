/** The last instant of a Date, in epoch milliseconds (ECMA-262, section 21.4.1.1): what ends then never ends. */
export const LAST_INSTANT = 8_640_000_000_000_000
