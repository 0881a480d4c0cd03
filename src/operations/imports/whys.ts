import type { LeftOut } from '../../platform/db/schema/import-jobs.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { GERMAN } from '../../platform/reasons/german.ts'
import { LEFT_OUT_TEXTS, type Part, type Why } from '../../platform/reasons/left-out.ts'
import { type Problem, problemText, sentenceOf } from '../../platform/reasons/reason.ts'
import { placeWords } from './place-words.ts'

/** The title of an event type or a booking, or a part of what has that name. */
type What = string | { readonly part: Part; readonly of?: string; readonly detail?: string }

const MOST = 200

/** `refusal`: what the service itself says of it. */
export function leftOut(what: What, why: Why, refusal?: Refusal): LeftOut {
  const { part, of = '', detail } = typeof what === 'string' ? { of: what } : what
  return {
    what: of.slice(0, MOST),
    ...(part && { part }),
    ...(detail !== undefined && { detail: detail.slice(0, MOST) }),
    why,
    ...(refusal && { refusal: keptOf(refusal) }),
  }
}

function keptOf({ code, reason, numbers, fields }: Refusal): NonNullable<LeftOut['refusal']> {
  const [first] = Object.entries(fields ?? {})
  return { code, reason, ...(numbers !== undefined && { numbers }), ...(first && { field: first }) }
}

export type LeftOutLanguage = keyof typeof LEFT_OUT_TEXTS

/** It and the reason as texts; what the service itself says of it says more. */
export function leftOutTexts(
  { what, part, detail = '', why, refusal }: LeftOut,
  language: LeftOutLanguage = 'en',
): { readonly what: string; readonly why: string } {
  const { whys, parts } = LEFT_OUT_TEXTS[language]
  const known = parts[part as Part] as string | undefined
  const shownDetail = part === 'place' ? placeWords(detail, language) : detail
  return {
    what: known === undefined ? what : fill(known, { of: what, detail: shownDetail }),
    why: refusal ? saidOf(refusal, language) : fill(whys[why as Why] ?? whys.unreadable, { detail }),
  }
}

/** What the API says of a refusal, in one sentence. */
function saidOf(
  { code, reason, numbers, field }: NonNullable<LeftOut['refusal']>,
  language: LeftOutLanguage,
) {
  const texts = language === 'de' ? GERMAN : undefined
  if (field) return `${field[0]}: ${problemText(field[1] as Problem, texts)}`
  return sentenceOf({ code, reason, numbers } as Refusal, texts)
}
