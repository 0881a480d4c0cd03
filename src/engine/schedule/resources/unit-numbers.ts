export const MOST_UNITS = 50

const NUMBERS = Array.from({ length: MOST_UNITS }, (_, at) => at + 1).join(',')

/** The numbers of so many units as JSON for queries. The list is cut, because each of its values is a row that is read. */
export function unitNumbers(quantity: string): string {
  return `'[' || substr('${NUMBERS}', 1, iif(${quantity} < 10, 2 * ${quantity} - 1, 3 * ${quantity} - 10)) || ']'`
}
