import * as z from 'zod'
import { ROLES } from '../auth/caller.ts'
import { isId } from '../db/ids.ts'
import { TIERS } from '../limits/plans.ts'
import { isTimeZone } from '../scheduling/local-time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../scheduling/time-units.ts'
import { isEmailAddress } from './email-address.ts'

/** Fields that all resources share. */

export const Id = z
  .string()
  .refine(isId, 'Must be a UUID.')
  .transform((id) => id.toLowerCase())
  .meta({ format: 'uuid', example: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42' })

export const ResourceId = z.string().meta({ format: 'uuid', example: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42' })

export const Mode = z
  .enum(['live', 'test'])
  .meta({ id: 'Mode', description: 'Real data, or the data of the sandbox.' })

export const Tier = z.enum(TIERS).meta({ id: 'Tier', description: 'A plan.' })

export const Role = z.enum(ROLES).meta({ id: 'Role', description: 'What a member may do.' })

export const Timestamp = z.string().meta({ format: 'date-time', example: '2026-03-09T13:00:00.000Z' })

/** A filter of a list. An empty one would count as none, and everything would be listed. */
export const Filter = z.string().min(1).optional()

/** A whole number in a query string. */
export function WholeNumberText(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^-?\d{1,9}$/.test(text), 'Must be a whole number.')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

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

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Must be an IANA time zone, such as Europe/Berlin.')
  .meta({ example: 'Europe/Berlin' })

/** The last instant whose year has four digits. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** An instant as callers send it: ISO 8601 with an offset or `Z`. Becomes epoch milliseconds. */
export const Instant = z.iso
  .datetime({
    offset: true,
    error: 'Must be an ISO 8601 time with an offset or Z, such as 2026-03-09T13:00:00Z.',
  })
  .transform((text) => Date.parse(text))
  .refine((instant) => instant >= 0 && instant <= LATEST, 'Must be in the years 1970 to 9999.')
  .meta({ format: 'date-time', example: '2026-03-09T13:00:00Z' })

/** No start lies later: the end of the longest meeting is still written with four digits of the year. */
export const LATEST_START = Date.UTC(9999, 11, 30)

/** When something is booked to start. */
export const StartTime = Instant.refine((start) => start < LATEST_START, 'Must be in the years 1970 to 9999.')

let dayStart = Number.NaN
let dayPrefix = ''

/** `YYYY-MM-DDTHH:mm:ss.sssZ`, for the years 0 to 9999. A page of slots names thousands of instants of a few days, so the date is kept. */
export function formatInstant(instant: number): string {
  if (!(instant >= dayStart && instant < dayStart + DAY_MS)) {
    dayStart = Math.floor(instant / DAY_MS) * DAY_MS
    dayPrefix = new Date(dayStart).toISOString().slice(0, 11)
  }
  const ms = instant - dayStart
  if (ms % MINUTE_MS !== 0) return dayPrefix + timeOfDay(ms)
  const minute = ms / MINUTE_MS
  wholeMinutes[minute] ??= timeOfDay(ms)
  return dayPrefix + wholeMinutes[minute]
}

/** The times of day that are whole minutes; a day has no more than 1,440. */
const wholeMinutes: string[] = []

function timeOfDay(ms: number): string {
  const two = (value: number) => (value < 10 ? `0${value}` : `${value}`)
  const hours = two(Math.floor(ms / HOUR_MS))
  const minutes = two(Math.floor(ms / MINUTE_MS) % 60)
  const seconds = two(Math.floor(ms / 1000) % 60)
  return `${hours}:${minutes}:${seconds}.${String(ms % 1000).padStart(3, '0')}Z`
}

export function formatNullable(instant: number | null): string | null {
  return instant === null ? null : formatInstant(instant)
}

/** Keeps only what was sent: `undefined` never reaches an update. */
export function definedOnly<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
