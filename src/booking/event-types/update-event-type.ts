import type { Decided, Rows, Turn, Verb } from '../../engine/turn/verb.ts'
import { refuseChanged } from '../../outbox/activity/refuse-changed.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { guardNamedSchedule, selectNamedSchedules } from '../../platform/db/named-schedule.ts'
import { laterThan } from '../../platform/db/refusals.ts'
import { changedOnly } from '../../platform/http/changed-only.ts'
import { because, missing } from '../../platform/http/errors.ts'
import { spreadCredits } from '../bookings/credits/statements.ts'
import { shareBookings } from '../bookings/statements.ts'
import { guardResourcesNamed, selectForeignResources } from '../resources/statements.ts'
import { textsOfEarlier } from '../text-messages/plan-texts.ts'
import { assertChannels } from './assert-channels.ts'
import { assertConferencing } from './assert-conferencing.ts'
import { widenBuffers } from './buffers/widen-buffers.ts'
import type { UpdateEventType } from './commands.ts'
import { countBookings, NOTHING_TAKEN } from './count-bookings.ts'
import { followPlace } from './place-changes/follow-place.ts'
import { presentEventType } from './present.ts'
import { type EventTypeRow, updateEventTypeAsRead } from './queries.ts'
import type { OwnEventType } from './schema.ts'
import { selectEventTypeInTenant } from './statements.ts'
import { assertCoherent, toColumns, withCapPeriod } from './to-columns.ts'

/** Changes that may open slots. */
const DECIDES: ReadonlySet<string> = new Set<keyof EventTypeRow>([
  'active',
  'assignmentStrategy',
  'bookableFrom',
  'bookableUntil',
  'bookingCap',
  'bookingCapPeriod',
  'bookingWindowDays',
  'bufferAfterMinutes',
  'bufferBeforeMinutes',
  'calendarOutage',
  'durationMinutes',
  'durationOptions',
  'hoursFrom',
  'inviteeLimit',
  'maxAttendees',
  'minimumNoticeMinutes',
  'poolSize',
  'requires',
  'scheduleId',
  'slotIntervalMinutes',
  'timezone',
])

type Asked = readonly [
  ReturnType<typeof selectEventTypeInTenant>,
  ...ReturnType<typeof selectNamedSchedules | typeof selectForeignResources>[number][],
]

export function updateEventType(command: UpdateEventType): Verb<Asked, OwnEventType> {
  const { tenant, id, input } = command
  return {
    eventTypeId: command.id,
    claim: null,
    now: command.now,
    asks: ({ db }) => [
      selectEventTypeInTenant(db, tenant, id),
      ...selectNamedSchedules(db, tenant, input.schedule_id),
      ...selectForeignResources(db, tenant, input.requires),
    ],
    refusesOn: { SLUG_TAKEN: because('event_type_slug_taken') },
    decide: (turn, { rows }) => decide(turn, rows!, command),
  }
}

async function decide(
  { env, db }: Turn,
  [[before], ...named]: Rows<Asked>,
  command: UpdateEventType,
): Promise<Decided<OwnEventType>> {
  const { tenant, id, input, expected, now, origin } = command
  if (!before) return { refusal: missing('event type') }
  const changed = await refuseChanged(db, tenant, before, expected)
  if (changed) return { refusal: changed }
  const [schedules, foreign] = input.schedule_id == null ? [undefined, named[0]] : named
  if (schedules?.length === 0) return { refusal: missing('schedule') }
  if (foreign && foreign.length > 0) return { refusal: missing('resource') }
  const wanted = withCapPeriod({ ...before, ...toColumns(input) })
  assertCoherent(wanted, before)
  assertChannels(env, input)
  await assertConferencing(db, tenant, input)
  const changes = changedOnly(before, wanted)
  const counts = await countBookings(db, [wanted], now)
  if (Object.keys(changes).length === 0) {
    return { unchanged: presentEventType(before, counts.get(id) ?? NOTHING_TAKEN) }
  }
  const { updated_at: _, notify: __, ...fields } = input
  const after = { ...wanted, updatedAt: laterThan(before.updatedAt, now) }
  const followed = await followPlace(db, before, after, {
    ...{ tenant, origin, now },
    isQuiet: input.notify === false,
  })
  return {
    status: 200,
    body: presentEventType(after, counts.get(id) ?? NOTHING_TAKEN),
    statements: [
      ...guardNamedSchedule(db, input.schedule_id),
      ...guardResourcesNamed(db, input.requires),
      ...updateEventTypeAsRead(db, before, changes, now),
      ...(await widenBuffers(db, before, after, now)),
      ...(changes.assignmentStrategy && before.collectiveBookings > 0 ? spreadCredits(db, id) : []),
      ...(beginsTexts(before, after) ? await textsOfEarlier(db, after, now) : []),
      ...(before.maxAttendees === 1 && after.maxAttendees > 1 ? shareBookings(db, id, now) : []),
      recordActivity(db, tenant, origin, {
        action: 'event_type.updated',
        resourceType: 'event_type',
        resourceId: id,
        changes: fields,
      }),
      ...followed.statements,
    ],
    messages: followed.messages,
    opens: Object.keys(changes).some((column) => DECIDES.has(column)),
  }
}

function beginsTexts(before: EventTypeRow, after: EventTypeRow): boolean {
  return after.reminderChannels.includes('sms') && !before.reminderChannels.includes('sms')
}
