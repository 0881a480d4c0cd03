import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * For `lower(email) IN (SELECT lower(value) FROM json_each(…))`: SQLite's `lower` leaves every character outside ASCII as it
 * is, so an address is looked up as it was sent, in lower case and in upper case.
 */
export function emailSpellings(...emails: readonly string[]): string {
  return JSON.stringify([...new Set(emails.flatMap(spellingsOf))])
}

/** Whether `lower(…)` of a column is one of these addresses, in whatever case. */
export function isAddress(lowered: SQLWrapper, ...emails: readonly string[]): SQL {
  return sql`${lowered} IN (SELECT lower(value) FROM json_each(${emailSpellings(...emails)}))`
}

/** Further spellings of several addresses, lowercased like SQLite does, without the addresses themselves. */
export function furtherSpellings(emails: readonly string[]): string {
  const known = new Set(emails.map(lowered))
  return JSON.stringify([...new Set(emails.flatMap(spellingsOf).map(lowered)).difference(known)])
}

/** Some upper-case spellings belong to several addresses: those of `straße` and `strasse` are the same. */
function spellingsOf(email: string): string[] {
  const small = email.toLowerCase()
  return [email, small, email.toUpperCase()].filter((spelling) => spelling.toLowerCase() === small)
}

function lowered(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
