import type { Locale } from '../../i18n/locale.ts'

/** Somebody by name and address. Nobody is told of whoever was erased. */
export function whoText({ texts }: Locale, name: string, email: string): string {
  return [name, email].filter(Boolean).join(texts.comma) || '–'
}
