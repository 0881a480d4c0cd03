/** The languages that people are written to in, in the order of a list to choose from. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

export function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((language) => language === text)
}

/** The language that a tag asks for: `de` of `de-AT`; null where it is none of ours. */
export function languageOf(tag: string): Language | null {
  const base = tag.split('-')[0]!.toLowerCase()
  return isLanguage(base) ? base : null
}

/**
 * A BCP 47 tag in its usual spelling, or null where it is malformed. Extensions are left out: they could ask for other
 * calendars and digits than ours.
 */
export function canonicalTag(tag: string): string | null {
  try {
    const [whole] = Intl.getCanonicalLocales(tag)
    return whole?.replace(/-[a-z0-9]-.*$/i, '') || null
  } catch {
    return null
  }
}

/** The first of the tags whose language is one of ours; English where none is. */
export function spokenTag(...tags: readonly (string | null | undefined)[]): string {
  return tags.find((tag) => tag != null && languageOf(tag) !== null) ?? 'en'
}
