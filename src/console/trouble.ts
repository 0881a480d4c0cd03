import type { Refusal } from '../platform/http/errors.ts'
import { consoleLanguage, textsOf } from '../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../platform/i18n/console/shell.ts'
import type { Locale } from '../platform/i18n/locale.ts'
import { GERMAN } from '../platform/reasons/german.ts'
import { type Problem, problemText, type Reason, sentenceOf } from '../platform/reasons/reason.ts'

/** What went wrong with a form: above it, and at its fields. */
export type Trouble = {
  readonly title?: string
  readonly fields?: Readonly<Record<string, string>>
}

export const NO_TROUBLE: Trouble = {}

/** The fields of a screen's form. */
type Own = {
  /** By the endpoint's: `rules.0.end_time` finds `rules` too. */
  readonly fields?: Readonly<Record<string, string>>
  /** By the reason that is about one of them. */
  readonly at?: At
}

export type At = Readonly<Partial<Record<Reason, string>>>

/** A refusal as its reader reads it: what is about a field of the form is there, all else above it. */
export function troubleOf(locale: Locale, refusal: Refusal, own: Own = {}): Trouble {
  const language = translationFor(locale)
  if (!refusal.fields) {
    const title = sentenceOf(refusal, language)
    const field = own.at?.[refusal.reason]
    return { title, ...(field && { fields: { [field]: title } }) }
  }
  const fields = Object.entries(refusal.fields).map(([field, problem]) => [
    fieldOf(field, own.fields ?? {}),
    problemText(problem, language),
  ])
  return { title: textsOf(locale, shellTexts).checkThese, fields: Object.fromEntries(fields) }
}

/** What is wrong with a value, for a page that says so before anything is sent. */
export function problemIn(locale: Locale, problem: Problem): string {
  return problemText(problem, translationFor(locale))
}

function translationFor({ language }: Locale): typeof GERMAN | undefined {
  return consoleLanguage(language) === 'de' ? GERMAN : undefined
}

function fieldOf(field: string, names: Readonly<Record<string, string>>): string {
  return names[field] ?? names[field.split('.')[0]!] ?? field
}
