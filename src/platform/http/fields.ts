import * as z from 'zod'
import { formatDate, isTimeZone, parseDate } from '../../core/local-time.ts'
import { ROLES } from '../auth/caller.ts'
import { isId } from '../db/ids.ts'
import { canonicalTag } from '../i18n/tags.ts'
import { TIERS } from '../limits/plans.ts'
import { isEmailAddress } from './email-address.ts'
import { formatInstant, LATEST, LATEST_START } from './instants.ts'
import {
  HAS_LINK,
  HAS_NUL,
  hasNoLink,
  hasNoNul,
  IS_BLANK,
  isBlank,
  isOneLine,
  NOT_ONE_LINE,
} from './typed-text.ts'
import { sentenceOf } from './validation-sentence.ts'

/** Fields that all resources share. */

export const Id = z
  .string()
  .refine(isId, 'Must be a UUID.')
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
    'What a member may do: a `viewer` reads, a `member` also books, an `admin` also looks after everything, an `owner` also gives it away.',
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
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      if (parts.length > MOST_VALUES) return refuse(`Must have at most ${MOST_VALUES} values.`)
      const values: z.output<S>[] = []
      for (const part of parts) {
        const { data, error } = item.safeParse(part, { error: sentenceOf })
        if (part === '') return refuse('Must not be empty.')
        if (error) return refuse(error.issues[0]!.message)
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
    .refine((text) => /^-?\d{1,9}$/.test(text), 'Must be a whole number.')
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
  .describe('Minutes, where several are offered.')

/** The same in a query string. */
export const DurationText = WholeNumberText(-LONGEST_MINUTES, LONGEST_MINUTES)
  .optional()
  .describe('Minutes, where the event type offers several durations.')

/** What people type on a line of its own, such as a name. */
export const OneLine = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !isBlank(text), IS_BLANK)
    .refine(isOneLine, NOT_ONE_LINE)

/** What an organization or a person is called. */
export const Name = (most: number) => OneLine(most).refine(hasNoLink, HAS_LINK)

/** What people type on as many lines as they like. */
export const Lines = (most: number) => z.string().max(most).refine(hasNoNul, HAS_NUL)

export const Slug = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9-]+$/, 'Must contain only lower-case letters, digits and hyphens.')
  .meta({ example: 'intro-call' })

export const Email = z
  .string()
  .refine(isEmailAddress, 'Must be an email address.')
  .meta({ format: 'idn-email', maxLength: 254, example: 'ada@example.com' })

/** A person, as an external identity provider names them, and as `X-User-Id` has to name them later. */
export const UserId = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (id) => id === id.trim() && !/\p{Cc}/u.test(id),
    'Must not begin or end with white space or contain control characters: no header could name it.',
  )

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Must be an IANA time zone, such as Europe/Berlin.')
  .meta({ example: 'Europe/Berlin' })

export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color such as #3b82f6.')

/** A language, and how it writes dates. */
export const LanguageTag = z
  .string()
  .refine((tag) => canonicalTag(tag) !== null, 'Must be a BCP 47 language tag, such as en or de-AT.')

/** The same as it is sent, which may be shorter than its usual spelling. */
export const LocaleTag = LanguageTag.max(64)
  .transform((tag) => canonicalTag(tag)!)
  .meta({ example: 'de-AT' })

const DATE_TIME =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * An instant as callers send it: ISO 8601 with an offset or `Z`. Becomes epoch milliseconds. Seconds may be missing:
 * Java leaves them out where they are zero, as they are of nearly every slot.
 */
export const Instant = z
  .string()
  .refine(
    (text) => DATE_TIME.test(text) && parseDate(text.slice(0, 10)) !== null,
    'Must be an ISO 8601 time with an offset or Z, such as 2026-03-09T13:00:00Z.',
  )
  .transform((text) => Date.parse(text))
  .refine((instant) => instant >= 0 && instant <= LATEST, 'Must be in the years 1970 to 9999.')
  .meta({ format: 'date-time', example: '2026-03-09T13:00:00Z' })

/** When something is booked to start. */
export const StartTime = Instant.refine((start) => start < LATEST_START, 'Must be in the years 1970 to 9999.')

export const CalendarDate = z
  .string()
  .refine((text) => parseDate(text) !== null, 'Must be a date such as 2026-03-09.')
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
    context.addIssue({
      code: 'custom',
      message:
        'Must be a date such as 2026-03-09, or an ISO 8601 time with an offset or Z, in the years 1970 to 9999.',
    })
    return z.NEVER
  })
  .meta({ example: '2026-03-09' })

export function formatDateOrInstant(value: DateOrInstant): string {
  return 'midnight' in value ? formatDate(value.midnight) : formatInstant(value.instant)
}
