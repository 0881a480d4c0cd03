import * as z from 'zod'
import { formatDate, isTimeZone, parseDate } from '../../core/local-time.ts'
import { ROLES } from '../auth/caller.ts'
import { isId } from '../db/ids.ts'
import { canonicalTag } from '../i18n/tags.ts'
import { TIERS } from '../limits/plans.ts'
import { type Problem, problem } from '../reasons/reason.ts'
import { isEmailAddress } from './email-address.ts'
import { formatInstant, LATEST, LATEST_START } from './instants.ts'
import { hasNoLink, hasNoNul, isBlank, isOneLine } from './typed-text.ts'
import { problemOf } from './validation-problem.ts'

/** Fields that all resources share. */

export const Id = z
  .string()
  .refine(isId, problem('not_an_id'))
  .transform((id) => id.toLowerCase())
  .meta({ format: 'uuid', example: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42' })

/** An id of what is looked up, in lower case. A malformed one names nothing, so the endpoint says that it is not found. */
export const QueryId = z
  .string()
  .min(1)
  .transform((id) => id.toLowerCase())
  .meta({ format: 'uuid', example: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42' })

export const ResourceId = z.string().meta({ format: 'uuid', example: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42' })

export const Mode = z
  .enum(['live', 'test'])
  .meta({ id: 'Mode', description: 'Real data, or the data of the sandbox.' })

export const Tier = z.enum(TIERS).meta({ id: 'Tier', description: 'A plan.' })

export const Role = z.enum(ROLES).meta({
  id: 'Role',
  description:
    'The permissions of a member: a `viewer` reads, a `member` also books, an `admin` also manages everything, an `owner` can also transfer the ownership.',
})

export const Timestamp = z.string().meta({ format: 'date-time', example: '2026-03-09T13:00:00.000Z' })

/** A filter of a list. An empty one would count as none, and everything would be listed. */
export const Filter = z.string().min(1).optional()

const MOST_VALUES = 20

/**
 * A filter of a list by several values, separated by commas. `items` is what the documentation says of one; what a
 * generated client sends of a list is what is read here.
 */
export function Several<S extends z.ZodType>(item: S, items: Readonly<Record<string, unknown>>) {
  return z
    .string()
    .transform((text, context): readonly z.output<S>[] => {
      const parts = [...new Set(text.split(','))]
      const refuse = (message: Problem) => {
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      if (parts.length > MOST_VALUES) return refuse(problem('too_many', { most: MOST_VALUES }))
      const values: z.output<S>[] = []
      for (const part of parts) {
        const { data, error } = item.safeParse(part, { error: problemOf })
        if (part === '') return refuse(problem('empty'))
        if (error) return refuse(error.issues[0]!.message as Problem)
        values.push(data)
      }
      return values
    })
    .optional()
    .meta({ type: 'array', items, maxItems: MOST_VALUES })
}

/** A filter by the ids of several things. A malformed one names nothing, so the endpoint says that it is not found. */
export const SeveralIds = Several(
  z.string().transform((id) => id.toLowerCase()),
  { type: 'string', format: 'uuid' },
)

/** A whole number in a query string. */
export function WholeNumberText(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^-?\d{1,9}$/.test(text), problem('not_a', { kinds: ['int'] }))
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

const LONGEST_MINUTES = 100_000

/** Minutes, where several durations are offered. Of any number that is not, the endpoint says which are. */
export const Duration = z
  .int()
  .min(-LONGEST_MINUTES)
  .max(LONGEST_MINUTES)
  .optional()
  .describe('Minutes, if several durations are offered.')

/** The same in a query string. */
export const DurationText = WholeNumberText(-LONGEST_MINUTES, LONGEST_MINUTES)
  .optional()
  .describe('Minutes, if the event type offers several durations.')

/** What people type on a line of its own, such as a name. */
export const OneLine = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !isBlank(text), problem('blank'))
    .refine(isOneLine, problem('not_one_line'))

/** What an organization or a person is called. */
export const Name = (most: number) => OneLine(most).refine(hasNoLink, problem('has_link'))

/** What people type on as many lines as they like. */
export const Lines = (most: number) => z.string().max(most).refine(hasNoNul, problem('has_nul'))

export const Slug = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9-]+$/, problem('not_a_slug'))
  .meta({ example: 'intro-call' })

export const Email = z
  .string()
  .refine(isEmailAddress, problem('not_an_email'))
  .meta({ format: 'idn-email', maxLength: 254, example: 'ada@example.com' })

/** A person, as an external identity provider names them, and as `X-User-Id` has to name them later. */
export const UserId = z
  .string()
  .min(1)
  .max(255)
  .refine((id) => id === id.trim() && !/\p{Cc}/u.test(id), problem('not_a_user_id'))

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, problem('not_a_time_zone'))
  .meta({ example: 'Europe/Berlin' })

export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, problem('not_a_color'))

/** A language, and how it writes dates. */
export const LanguageTag = z.string().refine((tag) => canonicalTag(tag) !== null, problem('not_a_language'))

/** The same as it is sent, which may be shorter than its usual spelling. */
export const LocaleTag = LanguageTag.max(64)
  .transform((tag) => canonicalTag(tag)!)
  .meta({ example: 'de-AT' })

const DATE_TIME =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/**
 * An instant as callers send it: ISO 8601 with an offset or `Z`. Becomes epoch milliseconds. Seconds may be missing:
 * Java leaves them out where they are zero, as they are of nearly every slot. `t` and `z` may be lower case (RFC 3339, section 5.6).
 */
export const Instant = z
  .string()
  .refine((text) => DATE_TIME.test(text) && parseDate(text.slice(0, 10)) !== null, problem('not_an_instant'))
  .transform((text) => Date.parse(text.toUpperCase()))
  .refine((instant) => instant >= 0 && instant <= LATEST, problem('out_of_years'))
  .meta({ format: 'date-time', example: '2026-03-09T13:00:00Z' })

/** When something is booked to start. */
export const StartTime = Instant.refine((start) => start < LATEST_START, problem('out_of_years'))

export const CalendarDate = z
  .string()
  .refine((text) => parseDate(text) !== null, problem('not_a_date'))
  .meta({ format: 'date', example: '2026-03-09' })

/** A date, by the wall time of its midnight, or an instant. */
export type DateOrInstant = { readonly midnight: number } | { readonly instant: number }

/** What may be sent as either of them: `2026-03-09`, or an instant with an offset or `Z`. */
export const DateOrInstant = z
  .string()
  .transform((text, context): DateOrInstant => {
    const midnight = parseDate(text)
    if (midnight !== null && midnight >= 0 && midnight < LATEST_START) return { midnight }
    const { data } = Instant.safeParse(text)
    if (midnight === null && data !== undefined) return { instant: data }
    context.addIssue({ code: 'custom', message: problem('not_a_date_or_instant') })
    return z.NEVER
  })
  .meta({ example: '2026-03-09' })

export function formatDateOrInstant(value: DateOrInstant): string {
  return 'midnight' in value ? formatDate(value.midnight) : formatInstant(value.instant)
}
