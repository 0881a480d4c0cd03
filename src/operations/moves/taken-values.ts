import * as z from 'zod'
import { AttendeeInput } from '../../booking/bookings/input-schema.ts'
import { CurrencyCode } from '../../booking/event-types/choices.ts'
import { UpdateEventTypeInput } from '../../booking/event-types/input-schema.ts'
import { CreateHoldInput } from '../../booking/holds/schema.ts'
import { UpdateHostInput } from '../../booking/hosts/schema.ts'
import { OverrideInput, RuleInput } from '../../booking/hours/event-type/schema.ts'
import { UpdateScheduleInput } from '../../booking/hours/schedules/schema.ts'
import { Place } from '../../booking/places/schema.ts'
import { Question } from '../../booking/questions/schema.ts'
import { Payment } from '../../money/payments/schema.ts'
import { UpdateOrganizationInput } from '../../people/organizations/schema.ts'
import { UpdateMemberInput } from '../../people/team/schema.ts'
import { LanguageTag, TimeZone } from '../../platform/http/fields.ts'
import { LATEST } from '../../platform/http/instants.ts'
import { problemOf } from '../../platform/http/validation-problem.ts'
import type { Problem } from '../../platform/reasons/reason.ts'

const locale = LanguageTag.optional()
const invitee = { invitee_timezone: TimeZone, invitee_locale: LanguageTag }
const currency = CurrencyCode.lowercase()
const amounts = Payment.pick({ amount: true, platform_fee: true, refunded_amount: true })

/**
 * What the API takes where a row is of a table, as far as times, sums and numbers are worked out of it. Names and other texts
 * are left as they are.
 */
const TAKEN: Readonly<Record<string, z.ZodObject>> = {
  organizations: UpdateOrganizationInput.pick({ slug: true, timezone: true }).extend({
    locale,
    ...UpdateOrganizationInput.shape.public_limits.unwrap().shape,
    plan_limits: UpdateOrganizationInput.shape.plan_limits,
    region: UpdateOrganizationInput.shape.region,
    sandbox_now: z.int().max(LATEST).optional(),
  }),
  members: UpdateMemberInput.pick({
    timezone: true,
    notifications: true,
    max_bookings_per_day: true,
    max_bookings_per_week: true,
  }).extend({ locale }),
  event_types: UpdateEventTypeInput.omit({
    updated_at: true,
    title: true,
    description: true,
    location: true,
    custom_meeting_url: true,
    redirect_url: true,
    group: true,
  }).extend({ price_currency: currency.optional(), questions: z.array(Question).optional() }),
  event_type_hosts: UpdateHostInput,
  schedules: UpdateScheduleInput.pick({ timezone: true, rules: true, overrides: true }),
  availability_rules: RuleInput,
  availability_overrides: OverrideInput,
  bookings: z
    .object({ ...invitee, attendees: z.array(AttendeeInput.pick({ timezone: true })), place: Place })
    .partial(),
  waitlist_entries: z
    .object({ ...invitee, duration_minutes: UpdateEventTypeInput.shape.duration_minutes, meets_at: Place })
    .partial(),
  slot_holds: CreateHoldInput.pick({ seats: true }),
  payments: amounts.extend({ currency }).partial(),
  refunds: amounts.pick({ amount: true }),
  disputes: amounts.pick({ amount: true }),
  booking_quotas: z.object({ bookings: z.int().min(0) }).partial(),
}

/** What is wrong with a row that the API would not have taken; null where nothing is. */
export function faultIn(table: string, row: Readonly<Record<string, unknown>>) {
  const given = Object.entries(row).filter(([, value]) => value !== null)
  const issue = TAKEN[table]?.safeParse(Object.fromEntries(given), { error: problemOf }).error?.issues[0]
  return issue ? { field: issue.path.join('.'), wrong: issue.message as Problem } : null
}
