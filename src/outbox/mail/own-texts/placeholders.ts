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
 * A value that mail programs make no link of: the invisible U+2060 interrupts addresses. What the organization typed itself
 * stays as it is.
 */
export function unlinked(value: string): string {
  return value.replace(/(?<=\S)[.@](?=\S)|(?<=\p{L}):(?=\S)/gu, '$&\u2060')
}
