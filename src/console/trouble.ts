import type { Refusal } from '../platform/http/errors.ts'
import { textsOf } from '../platform/i18n/console/catalogue.ts'
import { ENGLISH_SENTENCES, GERMAN_SENTENCES, problemTexts } from '../platform/i18n/console/problems.ts'
import type { Locale } from '../platform/i18n/locale.ts'
import { fill } from '../platform/i18n/plural.ts'

/** What went wrong with a form: above it, and at its fields. */
export type Trouble = {
  readonly title?: string
  readonly fields?: Readonly<Record<string, string>>
}

export const NO_TROUBLE: Trouble = {}

/** What the role of a member does not allow, before an endpoint is asked. It says no more than its code. */
export const NOT_BY_ROLE: Refusal = { code: 'forbidden', message: 'Your role does not allow this.' }

/** How a screen's form calls what the endpoint calls otherwise, and what it says of a code in its own words. */
type Own = {
  /** The form's field by the endpoint's: `rules.0.end_time` finds `rules` too. */
  readonly fields?: Readonly<Record<string, string>>
  readonly codes?: Codes
}

export type Codes = Readonly<Partial<Record<Refusal['code'], string | Trouble>>>

type ProblemName = keyof (typeof problemTexts)['en']

const PROBLEM_OF: Readonly<Record<Refusal['code'], ProblemName>> = {
  validation_error: 'badRequest',
  bad_request: 'badRequest',
  unauthorized: 'forbidden',
  forbidden: 'forbidden',
  org_suspended: 'orgSuspended',
  plan_limit_exceeded: 'planLimit',
  not_found: 'notFound',
  conflict: 'conflict',
  booking_cap_reached: 'capReached',
  no_host_available: 'noHost',
  no_calendar_a_connection: 'badRequest',
  no_calendar_b_connection: 'badRequest',
  rate_limit_exceeded: 'tooOften',
  internal_error: 'busy',
  service_unavailable: 'busy',
  bad_gateway: 'gateway',
}

const PROBLEM_OF_LIMIT: Readonly<Record<string, ProblemName>> = {
  event_types: 'planEventTypes',
  calendar_feeds: 'planFeeds',
  calendars_per_member: 'planCalendars',
  members: 'planMembers',
  invitations_pending: 'manyInvitations',
  invitations_per_day: 'invitationsToday',
  support_requests_per_day: 'supportToday',
}

/** A refusal as its reader reads it: what is about a field of the form stands there, all else above it. */
export function troubleOf(locale: Locale, refusal: Refusal, own: Own = {}): Trouble {
  const texts = textsOf(locale, problemTexts)
  const { code, message, details = {} } = refusal
  const limit = PROBLEM_OF_LIMIT[String(details.limit)]
  if (limit !== undefined) return { title: texts[limit] }
  const said = own.codes?.[code]
  if (said !== undefined) return typeof said === 'string' ? { title: said } : said
  if (code === 'validation_error') {
    const fields = Object.entries(details).map(([field, sentence]) => [
      fieldOf(field, own.fields ?? {}),
      sentenceFor(locale, String(sentence)),
    ])
    return { title: texts.title, fields: Object.fromEntries(fields) }
  }
  const title = texts[PROBLEM_OF[code]]
  // These are told apart by their sentence alone.
  const isVague = code === 'bad_request' || code === 'conflict' || code === 'forbidden'
  const isSaid = message === NOT_BY_ROLE.message
  return { title: isVague && !isSaid ? `${title} ${fill(texts.said, { message })}` : title }
}

function fieldOf(field: string, names: Readonly<Record<string, string>>): string {
  return names[field] ?? names[field.split('.')[0]!] ?? field
}

function sentenceFor(locale: Locale, sentence: string): string {
  const isGerman = locale.language === 'de'
  const known = (isGerman ? GERMAN_SENTENCES : ENGLISH_SENTENCES).find(([pattern]) => pattern.test(sentence))
  if (known) return sentence.replace(known[0], known[1])
  if (!isGerman) return sentence
  return fill(textsOf(locale, problemTexts).said, { message: sentence })
}
