import { ar } from './ar.ts'
import { de } from './de.ts'
import { arEmails } from './emails/ar.ts'
import { deEmails } from './emails/de.ts'
import { type EmailTexts, enEmails } from './emails/en.ts'
import { esEmails } from './emails/es.ts'
import { frEmails } from './emails/fr.ts'
import { jaEmails } from './emails/ja.ts'
import { en, type Messages } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { canonicalTag, type Language, languageOf } from './tags.ts'

const CATALOGUES = { en, de, fr, es, ja, ar } as const satisfies Record<Language, Messages>

const EMAILS: Record<Language, EmailTexts> = {
  en: enEmails,
  de: deEmails,
  fr: frEmails,
  es: esEmails,
  ja: jaEmails,
  ar: arEmails,
}

/** The language of the texts, and the visitor's own tag, which sets the format of dates and numbers. */
export type Locale = {
  readonly language: Language
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Messages
  /** The texts that only emails use. */
  readonly emails: EmailTexts
  /** The clock that was chosen; without one, the language's own. */
  readonly clock?: Clock
}

export type Clock = '12' | '24'

export function nameOfLanguage(language: Language): string {
  return CATALOGUES[language].languageName
}

/** The chosen language, else the first acceptable one (RFC 9110, section 12.5.4), else English. */
export function localeFor(chosen: string | null, acceptLanguage: string | null): Locale {
  const accepted = parseAccepted(acceptLanguage ?? '')
  const language = languageOf(chosen ?? '') ?? accepted.map(languageOf).find((one) => one !== null) ?? 'en'
  return localeOf(accepted.find((tag) => languageOf(tag) === language) ?? language)
}

/** The locale of a tag; English if its language is not supported. */
export function localeOf(tag: string): Locale {
  const language = languageOf(tag)
  if (language === null) return localeOf('en')
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return { language, tag, direction, texts: CATALOGUES[language], emails: EMAILS[language] }
}

/** The header's tags that the platform supports, best first. */
function parseAccepted(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean)
      return { tag: canonicalTag(tag), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== null && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag!)
}
