import type { Locale } from '../../../platform/i18n/locale.ts'
import type { EmailContent } from '../email-content.ts'
import { inSubject, withoutTurns } from '../in-subject.ts'
import type { About } from '../sender.ts'
import type { OwnText } from './own-texts.ts'
import { fillPlaceholders, type PlaceholderValues, unlinked } from './placeholders.ts'

/** The values of the placeholders in one email. Subjects have the day of the start, as the default ones. */
export type OwnValues = PlaceholderValues & { readonly day: string }

const LONGEST_SUBJECT = 255

/** The texts in the language of the email. Without one, the default in that language applies. */
export function ownTextOf({ texts }: About, { language }: Locale): OwnText | undefined {
  return texts?.[language]
}

/** Null if it has no text of its own, or nothing is left of it because its placeholders have no value in this email. */
export function ownSubject(own: OwnText | undefined, values: OwnValues): string | null {
  if (own?.subject == null) return null
  const inLine = mapped({ ...values, start: values.day }, inSubject)
  const characters = [...withoutTurns(fillPlaceholders(own.subject, inLine))]
  return characters.slice(0, LONGEST_SUBJECT).join('').trim() || null
}

/** An email with the organization's words around its facts. */
export function withOwnText(
  content: EmailContent,
  own: OwnText | undefined,
  values: OwnValues,
): EmailContent {
  if (!own) return content
  const broken = { ...mapped(values, unlinked), start: values.start }
  // Marks that turn the direction of words could show an address backwards.
  const filled = (text: string) => withoutTurns(fillPlaceholders(text, broken))
  return {
    ...content,
    ...(own.intro !== null && { intro: filled(own.intro) }),
    ...(own.closing !== null && { closing: filled(own.closing) }),
  }
}

function mapped(values: PlaceholderValues, change: (value: string) => string): PlaceholderValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, change(value)]),
  ) as PlaceholderValues
}
