import type { Refusal } from '../platform/http/errors.ts'
import { textsOf } from '../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../platform/i18n/console/shell.ts'
import { ownMomentText, timeText } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import type { Form, MemberRequest } from './request.ts'
import type { Trouble } from './trouble.ts'

type Values = Readonly<Record<string, unknown>>

/** What a form keeps of the state that it shows, so that it sends only what was changed, and only if nobody else changed it. */
export function shownState(value: Values & { readonly updated_at: string }, names: readonly string[]) {
  const was = Object.fromEntries(names.map((name) => [name, value[name]]))
  return { updated_at: value.updated_at, was: JSON.stringify(was) }
}

/** The fields that differ from those that the form showed; all of them if it does not say what it showed. */
export function changedFields<T extends Values>(form: Form, sent: T): Partial<T> {
  const was = shownIn(form)
  const isSame = ([name, value]: [string, unknown]) => JSON.stringify(value) === JSON.stringify(was[name])
  return Object.fromEntries(Object.entries(sent).filter((field) => !isSame(field))) as Partial<T>
}

/** For the body of the request. */
export function expectedState(form: Form): { readonly updated_at?: string } {
  const at = form.get('updated_at')
  return at ? { updated_at: at } : {}
}

/** The state that a form showed. */
export function shownIn(form: Form): Values {
  try {
    const was: unknown = JSON.parse(form.get('was') ?? '')
    return typeof was === 'object' && was !== null ? (was as Values) : {}
  } catch {
    return {}
  }
}

/** The member or key that changed it and when, if that is why nothing was saved. What was typed is still in the form. */
export function changedByOthers({ page, zone, now }: MemberRequest, refusal: Refusal): Trouble | null {
  if (refusal.reason !== 'changed') return null
  const { locale } = page
  const texts = textsOf(locale, shellTexts)
  const { updated_at, updated_by } = refusal.details as {
    readonly updated_at: string
    readonly updated_by: { readonly name: string | null }
  }
  const at = Date.parse(updated_at)
  const dayOf = (instant: number) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone: zone }).format(instant)
  const time = (dayOf(at) === dayOf(now) ? timeText : ownMomentText)(locale, at, zone)
  const { name } = updated_by
  const who = name === null ? fill(texts.changedAt, { time }) : fill(texts.changedBy, { name, time })
  return { title: `${who} ${texts.changesKept}` }
}
