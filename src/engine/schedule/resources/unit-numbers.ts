export const MOST_UNITS = 50

/** Their numbers, as JSON for queries. */
export const UNITS = JSON.stringify(Array.from({ length: MOST_UNITS }, (_, at) => at + 1))
