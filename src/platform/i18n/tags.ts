/** The supported languages, in the order of a list to choose from. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

export function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((language) => language === text)
}

/** The language of a tag: `de` of `de-AT`; null if it is not supported. */
export function languageOf(tag: string): Language | null {
  const base = tag.split('-')[0]!.toLowerCase()
  return isLanguage(base) ? base : null
}

/**
 * A BCP 47 tag in its usual spelling, or null if it is malformed. Extensions are removed because they could change
 * the calendar and the digits.
 */
export function canonicalTag(tag: string): string | null {
  try {
    const [whole] = Intl.getCanonicalLocales(tag)
    return whole?.replace(/-[a-z0-9]-.*$/i, '') || null
  } catch {
    return null
  }
}

/** The first tag whose language is supported, else English. */
export function spokenTag(...tags: readonly (string | null | undefined)[]): string {
  return tags.find((tag) => tag != null && languageOf(tag) !== null) ?? 'en'
}
