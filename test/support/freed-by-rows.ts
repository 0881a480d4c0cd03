import { env } from 'cloudflare:workers'
import { referenceStarts } from '../core/reference.ts'
import { caseOf } from './hours-by-rows.ts'
import { type Made, statesMade, statesWaited, type Waited, writeDown } from './hours-history.ts'
import { stateOf } from './hours-rows.ts'

/* Who was passed over, by nothing but rows: what was freed, when, and who waited for it. */

/** The event types that time off of everybody closes: it names the organization in place of a member. */
const HOSTLESS = (member: string) => `SELECT e.id FROM event_types e WHERE e.organization_id = ${member}
  AND NOT EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = e.id)`
const HOSTED = (member: string) =>
  `(SELECT json_group_array(id) FROM (SELECT event_type_id AS id FROM event_type_hosts WHERE member_id = ${member}
    UNION ${HOSTLESS(member)}))`
const GONE_BY = `(SELECT json_group_array(e.id) FROM event_types e WHERE e.schedule_id = NEW.id OR EXISTS (
  SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = e.id AND (h.schedule_id = NEW.id
    OR (NEW.is_default AND h.schedule_id IS NULL AND h.member_id = NEW.member_id))))`
const EVER = '0, 8640000000000000'

const FREED = (types: string, time: string) =>
  `BEGIN INSERT INTO happened (types, starts, ends) SELECT ${types}, ${time}; END`

const TRIGGERS = {
  happened_wait: `AFTER INSERT ON waitlist_entries
    BEGIN INSERT INTO happened (entry, types) VALUES (NEW.id, '[]'); END`,
  happened_hold: `AFTER DELETE ON holds WHEN OLD.kept_by = '' ${FREED(
    '(SELECT json_group_array(event_type_id) FROM event_type_resources WHERE resource_id = OLD.resource_id)',
    'OLD.starts_at, OLD.ends_at',
  )}`,
  happened_back: `AFTER DELETE ON time_off ${FREED(HOSTED('OLD.member_id'), 'OLD.starts_at, OLD.ends_at')}`,
  happened_less: `AFTER UPDATE ON time_off WHEN NEW.starts_at > OLD.starts_at OR NEW.ends_at < OLD.ends_at
    ${FREED(HOSTED('OLD.member_id'), 'OLD.starts_at, OLD.ends_at')}`,
  happened_hours: `AFTER UPDATE OF rules, overrides, timezone, is_default ON schedules ${FREED(GONE_BY, EVER)}`,
  happened_default: `AFTER INSERT ON schedules WHEN NEW.is_default ${FREED(GONE_BY, EVER)}`,
  happened_limit: `AFTER UPDATE OF max_bookings_per_day ON members
    WHEN NEW.max_bookings_per_day > OLD.max_bookings_per_day
      OR (NEW.max_bookings_per_day IS NULL AND OLD.max_bookings_per_day IS NOT NULL) ${FREED(HOSTED('NEW.id'), EVER)}`,
  happened_off: `AFTER INSERT ON time_off BEGIN INSERT INTO off_made SELECT NEW.id, (
    SELECT json_group_array(b.id) FROM holds h JOIN bookings b ON coalesce(b.session_id, b.id) = h.holder_id
    WHERE (h.resource_id = NEW.member_id || '/test' OR h.resource_id IN (${HOSTLESS('NEW.member_id')})) AND h.kept_by = '' AND b.status <> 'cancelled'
      AND b.start_time < NEW.ends_at AND b.end_time > NEW.starts_at); END`,
}

/** From now on the database writes down what gives time to whoever waits, and when they began to, in one order. */
export function writeDownFreeing(): Promise<() => Promise<void>> {
  return writeDown(
    ['happened (n INTEGER PRIMARY KEY, entry, types, starts, ends)', 'off_made (id, bookings)'],
    TRIGGERS,
  )
}

/** The bookings that stood in this new time off when it was taken. */
export async function stoodIn(timeOffIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { results } = await env.DB.prepare(
    'SELECT bookings FROM off_made WHERE id IN (SELECT value FROM json_each(?))',
  )
    .bind(JSON.stringify(timeOffIds))
    .all<{ bookings: string }>()
  return new Set(results.flatMap(({ bookings }) => JSON.parse(bookings) as string[]))
}

/** Who still waits for a start that is open and that was freed, and so was closed, since they began to wait. */
export async function stillWaiting(eventTypeId: string, open: readonly number[]): Promise<unknown[]> {
  const { type } = await stateOf(eventTypeId)
  const { results } = await env.DB.prepare(
    `SELECT w.id, w.start_time, open.value AS open, freed.n FROM waitlist_entries w
     JOIN happened began ON began.entry = w.id
     JOIN json_each(?2) open ON coalesce(w.start_time, open.value) = open.value
     JOIN happened freed ON freed.n > began.n AND freed.starts < open.value + ?4 AND freed.ends > open.value - ?3
       AND EXISTS (SELECT 1 FROM json_each(freed.types) WHERE value = ?1)
     WHERE w.event_type_id = ?1 AND w.status = 'waiting' LIMIT 5`,
  )
    .bind(eventTypeId, JSON.stringify(open), type.before * 60_000, (type.duration + type.after) * 60_000)
    .all()
  return results
}

type Range = { readonly from: number; readonly to: number }

/** Which starts were closed when each of them began to wait. Whatever of it opens later is theirs before anybody else's. */
export async function waitedFor(range: Range) {
  const waited = new Map<string, Waited & { readonly opensLater: (start: number) => boolean }>()
  for await (const one of statesWaited()) {
    const asked = one.start === null ? range : { from: one.start, to: one.start + 60_000 }
    const openThen = new Set(referenceStarts(caseOf(one.state, asked)))
    const opensLater = (start: number) => (one.start ?? start) === start && !openThen.has(start)
    waited.set(one.id, { ...one, opensLater })
  }
  return waited
}

type WaitedFor = Awaited<ReturnType<typeof waitedFor>>

/** Who waited for the start of a booking, which opened after they came, and was older than whoever got it. */
function passedOverBy(made: Made, waited: WaitedFor): string[] {
  if (!wasOpenToAll(made)) return []
  const promoted = [...waited.values()].find(({ bookingId }) => bookingId === made.id)
  const order = [...waited.keys()]
  const isOlder = (id: string) => !promoted || order.indexOf(id) < order.indexOf(promoted.id)
  return made.waiting.filter((id) => isOlder(id) && waited.get(id)!.opensLater(made.start))
}

/** Whether anybody could have had it: what moves into its own time or takes its own place is in nobody's way. */
function wasOpenToAll({ id, was, start, state }: Made): boolean {
  if (was === null) return true
  // When the row changes, what it held is held still, but for its seat in a session.
  if (state.type.seats > 1) return false
  const bookings = state.bookings.map(([one, at, email]) => [one, one === id ? was : at, email] as const)
  const asked = { from: start, to: start + 60_000 }
  return referenceStarts(caseOf({ ...state, bookings }, asked)).includes(start)
}

/** Every booking that passed somebody over. */
export async function passedOver(waited: WaitedFor): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const made of statesMade()) {
    const by = passedOverBy(made, waited)
    if (by.length > 0) found.push({ booking: made.id, was: made.was, start: made.start, by })
  }
  return found
}
