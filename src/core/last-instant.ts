/** The last instant that a Date can be, in epoch milliseconds (ECMA-262, section 21.4.1.1): what ends with it never ends. */
export const LAST_INSTANT = 8_640_000_000_000_000
