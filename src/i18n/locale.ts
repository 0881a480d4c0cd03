import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Messages } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'

const CATALOGUES = { en, de, fr, es, ja, ar } as const satisfies Record<string, Messages>

export type Language = keyof typeof CATALOGUES
export const LANGUAGES = Object.keys(CATALOGUES) as Language[]

/** A language for the texts, and the visitor's own tag, which decides how dates and numbers look. */
export type Locale = {
  readonly language: Language
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Messages
}

export function isLanguage(text: string | null | undefined): text is Language {
  return text != null && Object.hasOwn(CATALOGUES, text)
}

export function nameOfLanguage(language: Language): string {
  return CATALOGUES[language].languageName
}

/** The chosen language, else the first acceptable one (RFC 9110, section 12.5.4), else English. */
export function localeFor(chosen: string | null, acceptLanguage: string | null): Locale {
  const accepted = parseAccepted(acceptLanguage ?? '')
  const language = isLanguage(chosen)
    ? chosen
    : (accepted.map(baseOf).find((base) => isLanguage(base)) as Language | undefined)
  const found = language ?? 'en'
  const tag = accepted.find((one) => baseOf(one) === found) ?? found
  const direction = found === 'ar' ? 'rtl' : 'ltr'
  return { language: found, tag, direction, texts: CATALOGUES[found] }
}

function baseOf(tag: string): string {
  return tag.split('-')[0]!.toLowerCase()
}

/** The tags of the header that the platform understands, best first. */
function parseAccepted(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean)
      return { tag: canonical(tag), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== null && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag!)
}

/** Without its extensions, which could ask for other calendars than the page's own. */
function canonical(tag: string): string | null {
  try {
    const [found] = Intl.getCanonicalLocales(tag.replace(/-[a-z0-9]-.*$/i, ''))
    return found ?? null
  } catch {
    return null
  }
}
