/** What an organization's texts can name. */
export const PLACEHOLDERS = ['invitee_name', 'event_type', 'start', 'host', 'place', 'organization'] as const

export type PlaceholderValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>

const KNOWN = new RegExp(`\\{\\{\\s*(${PLACEHOLDERS.join('|')})\\s*\\}\\}`, 'g')
const LONGEST_NAMED = 40

/** Something in double braces that is not a placeholder, or null. */
export function unknownPlaceholder(text: string): string | null {
  const [found] = /\{\{[^{}]*\}?\}?/.exec(text.replace(KNOWN, '')) ?? []
  return found === undefined ? null : found.slice(0, LONGEST_NAMED)
}

export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(KNOWN, (_, name: keyof PlaceholderValues) => values[name])
}

/**
 * A value that mail programs make no link of: the invisible U+2060 interrupts addresses, also those that the words around it
 * begin or end. What the organization typed itself stays as it is.
 */
export function unlinked(value: string): string {
  const broken = value.replace(/(?<=\S)[.@](?=\S)|(?<=\p{L}):(?=\S)/gu, '$&\u2060')
  return broken.replace(/^(?=[.@:/])|(?<=[.@:/])$/g, '\u2060')
}

/** A web address whose host is not where it seems to be: what is before an @ is a name. */
const HIDES_HOST = /\b[a-z][a-z0-9+.-]*:[\\/]{2,}[^\s\\/?#]*@/i

export function hidesHost(text: string): boolean {
  return HIDES_HOST.test(text.replaceAll('\u2060', ''))
}
