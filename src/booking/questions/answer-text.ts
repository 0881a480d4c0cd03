import type { Locale } from '../../platform/i18n/locale.ts'
import type { KeptAnswer } from './take-answers.ts'

/** An answer as text. */
export function answerText({ emails }: Locale, value: KeptAnswer['value']): string {
  if (typeof value === 'boolean') return value ? emails.yes : emails.no
  return typeof value === 'object' ? value.join('\n') : String(value)
}
