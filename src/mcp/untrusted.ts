/** The fields that hold what other people typed: those who book, and the organization about itself. */
const WORDS: ReadonlySet<string> = new Set([
  'invitee_name',
  'invitee_phone',
  'name',
  'attendees',
  'guests',
  'notes',
  'answers',
  'metadata',
  'cancel_reason',
  'org_name',
  'title',
  'description',
  'location',
  'place',
  'places',
  'questions',
])

/** How much of each text and list is left. */
export type Cut = { readonly characters: number; readonly items: number }

/** Whether a field of this name holds what other people typed. */
export function isUntrusted(name: string): boolean {
  return WORDS.has(name)
}

/** The names of all such fields in an answer that are not empty. */
export function untrustedIn(answer: unknown): string[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (!isUntrusted(name)) look(inner)
      else if (!isEmpty(inner)) found.add(name)
    }
  }
  look(answer)
  return [...found]
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** The same answer with such words cut short. Ids, times and tokens stay as they are. */
export function shortened(answer: unknown, cut: Cut): unknown {
  if (Array.isArray(answer)) return answer.map((one) => shortened(one, cut))
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([name, inner]) => [
      name,
      isUntrusted(name) ? cutShort(inner, cut) : shortened(inner, cut),
    ]),
  )
}

export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text
  // Half of a character would not be one.
  return `${text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')}…`
}

function cutShort(value: unknown, cut: Cut): unknown {
  if (typeof value === 'string') return cutText(value, cut.characters)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, cut.items).map((one) => cutShort(one, cut))
  const entries = Object.entries(value).filter(([name]) => name.length <= cut.characters)
  return Object.fromEntries(entries.slice(0, cut.items).map(([name, inner]) => [name, cutShort(inner, cut)]))
}
