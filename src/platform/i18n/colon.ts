import type { Locale } from './locale.ts'

/** A label with its colon. */
export function headed(locale: Locale, label: string): string {
  return label + colonAfter(locale, label)
}

/** A question needs no colon. */
export function colonAfter({ texts }: Locale, label: string): string {
  return /[?:？：؟]$/.test(label) ? '' : texts.colon
}
