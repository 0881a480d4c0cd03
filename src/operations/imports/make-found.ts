import { type ForeignBooking, IMPORT_BOOKING } from '../../booking/bookings/imported/commands.ts'
import { markImported } from '../../booking/bookings/imported/statements.ts'
import { createEventType } from '../../booking/event-types/create-event-type.ts'
import { CreateEventTypeInput } from '../../booking/event-types/input-schema.ts'
import { insertNewHosts } from '../../booking/hosts/statements.ts'
import { createSchedule } from '../../booking/hours/schedules/create-schedule.ts'
import { CreateScheduleInput } from '../../booking/hours/schedules/schema.ts'
import { askEventType } from '../../engine/turn/command.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { type Refusal, Refused } from '../../platform/http/errors.ts'
import { validate } from '../../platform/http/validate.ts'
import type { FoundEventType, FoundSchedule } from './source.ts'

export type Maker = {
  readonly ctx: Context<TenantCaller>
  /** What the batch that makes it records of where it is from. */
  readonly source: string
}

/** The id of what was made, or why it was not. */
export type MadeOr<Why> = { readonly id: string } | { readonly refusal: Why }

/** Hours of a member, or of the organization. */
export async function makeSchedule(
  { ctx, source }: Maker,
  { owner, name, timezone, rules, overrides }: FoundSchedule,
  memberId: string | null,
): Promise<MadeOr<Refusal>> {
  const given = {
    name: memberId === null ? `${name} (${owner.name})`.slice(0, 255) : name,
    ...{ timezone, rules, overrides },
    member_id: memberId,
  }
  return attempt(async () => {
    const input = validate(CreateScheduleInput, given) as CreateScheduleInput
    return createSchedule(ctx, input, (db, madeId) => [markImported(db, markOf({ ctx, source }, madeId))])
  })
}

export type Host = Parameters<typeof insertNewHosts>[3][number]

/** As many more slugs are tried: slugs are the organization's here, and each user's there. */
const MOST_SLUGS = 9

/** An event type with its hosts, in one batch. */
export async function makeEventType(
  { ctx, source }: Maker,
  fields: FoundEventType['fields'] & Readonly<Record<string, unknown>>,
  hosts: readonly Host[],
): Promise<MadeOr<Refusal>> {
  for (let n = 1; ; n++) {
    const slug = n === 1 ? fields.slug : `${fields.slug}-${n}`
    const made = await attempt(async () => {
      const input = validate(CreateEventTypeInput, { ...fields, slug }) as CreateEventTypeInput
      return createEventType(ctx, input, (db, madeId) => [
        ...insertNewHosts(db, ctx.caller, madeId, hosts, ctx.now),
        markImported(db, markOf({ ctx, source }, madeId)),
      ])
    })
    const isTaken = 'refusal' in made && made.refusal.reason === 'event_type_slug_taken'
    if (!isTaken || n > MOST_SLUGS) return made
  }
}

/** A booking in the turn of its event type. */
export async function makeBooking(
  { ctx, source }: Maker,
  eventTypeId: string,
  memberId: string | null,
  booking: ForeignBooking,
): Promise<MadeOr<Refusal>> {
  const { organizationId, isTest } = ctx.caller
  const outcome = await askEventType(ctx.env, eventTypeId, IMPORT_BOOKING, {
    origin: originOf(ctx),
    claim: null,
    now: ctx.now,
    eventTypeId,
    tenant: { organizationId, isTest },
    ...{ memberId, source, booking },
  })
  if (outcome.kind === 'done') return outcome.body
  if (outcome.kind === 'refused') return { refusal: outcome.refusal }
  throw new Error('An import has no Idempotency-Key')
}

function markOf({ ctx, source }: Maker, madeId: string) {
  return { organizationId: ctx.caller.organizationId, source, madeId, createdAt: ctx.now }
}

async function attempt(make: () => Promise<{ readonly id: string }>): Promise<MadeOr<Refusal>> {
  try {
    return { id: (await make()).id }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { refusal: error.refusal }
  }
}
