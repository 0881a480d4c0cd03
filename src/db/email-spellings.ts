/**
 * For `lower(email) IN (SELECT lower(value) FROM json_each(…))`: SQLite's `lower` leaves every letter beyond ASCII as it is,
 * so an address is looked for as it was sent, all small and all large.
 */
export function emailSpellings(email: string): string {
  return JSON.stringify([...new Set([email, email.toLowerCase(), email.toUpperCase()])])
}
