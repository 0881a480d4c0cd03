import type { Texts } from '../en.ts'
import type { Plural } from '../plural.ts'
import type { Language } from '../tags.ts'

/** The texts of a part of the console, in each of its languages. */
type Catalogue<T> = { readonly en: T; readonly de: Texts<T> }

/** The type of the first language applies to the second, so no text can be missing. */
export function catalogue<const T extends Readonly<Record<string, string | Plural>>>(
  en: T,
  de: Texts<T>,
): Catalogue<T> {
  return { en, de }
}

type ConsoleLanguage = keyof Catalogue<unknown>

export function consoleLanguage(language: Language): ConsoleLanguage {
  return language === 'de' ? 'de' : 'en'
}

/** The texts in the reader's language. */
export function textsOf<T>({ language }: { readonly language: Language }, texts: Catalogue<T>): Texts<T> {
  return consoleLanguage(language) === 'de' ? texts.de : (texts.en as Texts<T>)
}
