import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * For `lower(email) IN (SELECT lower(value) FROM json_each(…))`: SQLite's `lower` leaves every letter beyond ASCII as it is,
 * so an address is looked for as it was sent, all small and all large.
 */
export function emailSpellings(...emails: readonly string[]): string {
  return JSON.stringify([...new Set(emails.flatMap(spellingsOf))])
}

/** Whether `lower(…)` of a column is one of these addresses, in whatever case. */
export function isAddress(lowered: SQLWrapper, ...emails: readonly string[]): SQL {
  return sql`${lowered} IN (SELECT lower(value) FROM json_each(${emailSpellings(...emails)}))`
}

/** Further ones of several addresses, small as SQLite makes them, which are none of the addresses themselves. */
export function furtherSpellings(emails: readonly string[]): string {
  const known = new Set(emails.map(lowered))
  return JSON.stringify([...new Set(emails.flatMap(spellingsOf).map(lowered)).difference(known)])
}

/** Some capitals are those of other letters too: of `straße` and of `strasse` they are the same. */
function spellingsOf(email: string): string[] {
  const small = email.toLowerCase()
  return [email, small, email.toUpperCase()].filter((spelling) => spelling.toLowerCase() === small)
}

function lowered(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
