import { listDated, moveDated } from '../../booking/hours/time-off/statements.ts'
import { bringUpcoming } from '../../calendars/receiving/statements.ts'
import { passOnHoldsOfFormer } from '../../calendars/sharing/statements.ts'
import {
  freeTimeOfDefault,
  guardConnected,
  hasConnection,
  receiveBookings,
} from '../../calendars/statements.ts'
import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import { refuseChanged } from '../../outbox/activity/refuse-changed.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { OperatorCaller } from '../../platform/auth/caller.ts'
import { forgetKeysOf } from '../../platform/auth/forget-keys.ts'
import { type Db, openDb, type Statement } from '../../platform/db/client.ts'
import { laterThan } from '../../platform/db/refusals.ts'
import { changedOnly } from '../../platform/http/changed-only.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { definedOnly } from '../../platform/http/defined-only.ts'
import { because, invalid, notFound, Refused, refuse } from '../../platform/http/errors.ts'
import type { Expected } from '../../platform/http/if-match.ts'
import { refuseRedirectHost } from '../../platform/http/redirect-hosts.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { type AskedMs, realNow } from '../../platform/limits/clock.ts'
import { claimFor } from '../../platform/names/claim-names.ts'
import { assertMemberMay } from '../team/assert-member-may.ts'
import { nextAgendaAt } from '../team/next-agenda.ts'
import { moveAgendas } from '../team/statements.ts'
import { presentOrganization } from './present.ts'
import { findOrganization, type OrganizationRow, updateOrganizationAsRead } from './queries.ts'
import type { Organization, UpdateOrganizationInput } from './schema.ts'

export async function updateOrganization(
  ctx: Context<OperatorCaller>,
  id: string,
  input: UpdateOrganizationInput,
  expected: Expected,
): Promise<Organization> {
  const db = openDb(ctx.env, 'decide')
  const organization = await runChange(ctx, (db) => decide(ctx, db, id, input, expected), {
    refusesOn: {
      BEING_DELETED: because('to_be_deleted'),
      ORGANIZATION_SLUG_TAKEN: because('slug_taken'),
    },
  })
  // Also when the plan is what it was: the call that set it may have died between its commit and this line.
  if (input.tier) await forgetKeysOf(ctx.env, db, id)
  const mayFree =
    input.timezone !== undefined ||
    input.tier ||
    input.suspended === false ||
    input.default_calendar_connection_id !== undefined
  if (mayFree) await offerFreedOf(ctx.env, db, id)
  return organization
}

async function decide(
  ctx: Context<OperatorCaller>,
  db: Db,
  id: string,
  input: UpdateOrganizationInput,
  expected: Expected,
): Promise<Change<Organization>> {
  assertRedirectHosts(ctx, input.allowed_redirect_hosts ?? [])
  const before = await findOrganization(db, id)
  if (!before) throw notFound('organization')
  await assertMemberMay(db, ctx.caller, id, 'administer')
  const isOperators = [input.tier, input.suspended, input.plan_limits, input.region].some(
    (given) => given !== undefined,
  )
  if (isOperators && ctx.caller.userId !== null) throw refuse('not_allowed')
  const own = { organizationId: id, isTest: false }
  const changed = await refuseChanged(db, own, before, expected)
  if (changed) throw new Refused(changed)
  const calendarId = input.default_calendar_connection_id ?? null
  if (calendarId !== null && !(await hasConnection(db, own, calendarId)))
    throw notFound('calendar connection')

  const changes = changesOf(before, input, ctx.now)
  if (Object.keys(changes).length === 0) return { body: presentOrganization(ctx.env, before), statements: [] }
  const updatedAt = laterThan(before.updatedAt, ctx.now)
  const { updated_at: _, ...fields } = input
  const organization = presentOrganization(ctx.env, { ...before, ...changes, updatedAt })
  const statements = [
    ...(changes.timezone === undefined ? [] : await moveToZone(db, before, changes.timezone)),
    ...('defaultCalendarConnectionId' in changes ? freeTimeOfDefault(db, id) : []),
    ...updateOrganizationAsRead(db, before, { ...changes, updatedAt }),
    ...(calendarId === null
      ? []
      : [
          guardConnected(db, calendarId),
          ...receiveBookings(db, calendarId),
          ...bringUpcoming(db, calendarId, realNow()),
        ]),
    ...(before.defaultCalendarConnectionId !== null && 'defaultCalendarConnectionId' in changes
      ? [passOnHoldsOfFormer(db, before.defaultCalendarConnectionId)]
      : []),
    recordActivity(db, own, originOf(ctx), {
      action: 'organization.updated',
      resourceType: 'organization',
      resourceId: id,
      changes: definedOnly(fields),
    }),
  ]
  const undo = await claimFor(ctx.env, id, { slug: changes.slug })
  return { status: 200, body: organization, statements, undo }
}

/** Members without a zone of their own live in the organization's: their dates begin again, and so does their day. */
async function moveToZone(
  db: Db,
  { id, hoursVersion }: OrganizationRow,
  timeZone: string,
): Promise<Statement[]> {
  const dated = await listDated(db, { organizationId: id })
  return [
    ...moveDated(db, id, hoursVersion, timeZone, dated),
    moveAgendas(db, id, nextAgendaAt(timeZone, Date.now())),
  ]
}

function assertRedirectHosts({ env }: Context, hosts: readonly string[]): void {
  const refusals = hosts.flatMap((host, at) => {
    const refusal = refuseRedirectHost(env, host)
    return refusal === null ? [] : [[`allowed_redirect_hosts.${at}`, refusal]]
  })
  if (refusals.length > 0) throw invalid(Object.fromEntries(refusals))
}

function changesOf(
  before: OrganizationRow,
  input: UpdateOrganizationInput,
  now: AskedMs,
): Partial<OrganizationRow> {
  const flag = (given: boolean | undefined, first: number | null) => (given ? (first ?? now) : first)
  const { public_limits: limits = {} } = input
  const limit = (given: number | null | undefined, known: number | null) =>
    given === undefined ? known : given
  const wanted: Partial<OrganizationRow> = {
    name: input.name ?? before.name,
    slug: input.slug ?? before.slug,
    locale: input.locale ?? before.locale,
    timezone: input.timezone ?? before.timezone,
    inviteeEmails: input.invitee_emails ?? before.inviteeEmails,
    calendarMoves: input.calendar_moves ?? before.calendarMoves,
    tier: input.tier ?? before.tier,
    suspendedAt:
      input.suspended === undefined
        ? before.suspendedAt
        : input.suspended
          ? (before.suspendedAt ?? now)
          : null,
    defaultCalendarConnectionId:
      input.default_calendar_connection_id === undefined
        ? before.defaultCalendarConnectionId
        : input.default_calendar_connection_id,
    allowedRedirectHosts:
      input.allowed_redirect_hosts === undefined ? before.allowedRedirectHosts : input.allowed_redirect_hosts,
    onboardingCompletedAt: flag(input.complete_onboarding, before.onboardingCompletedAt),
    bookingLinkSharedAt: flag(input.mark_booking_link_shared, before.bookingLinkSharedAt),
    availabilityConfirmedAt: flag(input.mark_availability_confirmed, before.availabilityConfirmedAt),
    checklistDismissedAt: flag(input.dismiss_checklist, before.checklistDismissedAt),
    bookingsPerNetworkHour: limit(limits.bookings_per_network_hour, before.bookingsPerNetworkHour),
    pendingPerNetwork: limit(limits.pending_per_network, before.pendingPerNetwork),
    activePerEmail: limit(limits.active_per_email, before.activePerEmail),
    waitingPerEmail: limit(limits.waiting_per_email, before.waitingPerEmail),
    attendeesPerBooking: limit(limits.attendees_per_booking, before.attendeesPerBooking),
    smsPerNumberDay: limit(limits.sms_per_number_day, before.smsPerNumberDay),
    smsPerDay: limit(limits.sms_per_day, before.smsPerDay),
    planLimits: input.plan_limits ? planLimitsAfter(before, input.plan_limits) : before.planLimits,
    region: input.region === undefined ? before.region : input.region,
    firstBookingCelebratedAt: flag(input.mark_first_booking_celebrated, before.firstBookingCelebratedAt),
  }
  return changedOnly(before, wanted)
}

/** Null where the plan's numbers are left. */
function planLimitsAfter(
  { planLimits }: OrganizationRow,
  input: NonNullable<UpdateOrganizationInput['plan_limits']>,
): OrganizationRow['planLimits'] {
  const chosen = Object.entries({ ...planLimits, ...definedOnly(input) }).filter(
    ([, limit]) => limit !== null,
  )
  return chosen.length === 0 ? null : (Object.fromEntries(chosen) as OrganizationRow['planLimits'])
}
