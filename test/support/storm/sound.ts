/** Asks the database that is audited, wherever it is. */
export type Ask = (query: string, ...values: (string | number)[]) => Promise<Row[]>
type Row = Record<string, any>

const MINUTE_MS = 60_000

/** Two that have one resource at one time. */
const OVERLAPS = `SELECT a.* FROM holds a JOIN holds b
  ON a.resource_id = b.resource_id AND a.kept_by = b.kept_by AND a.starts_at < b.starts_at
  AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at`

/** Whose time a hold is: an event type keeps that of a host who left as its own. */
const TIME_OF = "iif(kept_by = '', resource_id, kept_by)"

/** Who holds time, where that is, and what of it is held. */
const HOLDERS = `SELECT coalesce(b.session_id, b.id) AS holder, b.start_time, b.end_time, e.buffer_before_minutes AS before_min,
    e.buffer_after_minutes AS after_min, b.assigned_host_id, b.co_hosts, b.event_type_id, b.calendar_connection_id,
    (SELECT json_group_array(json_object('from', starts_at, 'to', ends_at, 'on', ${TIME_OF}))
      FROM holds WHERE holder_id = coalesce(b.session_id, b.id)) AS held
  FROM bookings b JOIN event_types e ON e.id = b.event_type_id
  WHERE b.status <> 'cancelled'
  UNION ALL SELECT coalesce(w.session_id, w.id), w.start_time, w.end_time, e.buffer_before_minutes, e.buffer_after_minutes,
    w.assigned_host_id, w.co_hosts, w.event_type_id, w.calendar_connection_id,
    (SELECT json_group_array(json_object('from', starts_at, 'to', ends_at, 'on', ${TIME_OF}))
      FROM holds WHERE holder_id = coalesce(w.session_id, w.id))
  FROM slot_holds w JOIN event_types e ON e.id = w.event_type_id WHERE w.status = 'held' AND w.purpose = 'hold'`

/** What overlaps, who holds nothing or at another time, and holds of nobody. */
export async function unsoundHolds(ask: Ask): Promise<unknown[]> {
  const found: unknown[] = [...(await ask(OVERLAPS))]
  const holders = await ask(HOLDERS)
  for (const one of holders) {
    const held: { from: number; to: number; on: string }[] = JSON.parse(one.held)
    const resources = held.map(({ on }) => on)
    const others = JSON.parse(one.co_hosts ?? '[]').map(({ member_id }: Row) => member_id)
    const needed = [one.assigned_host_id ?? one.event_type_id, ...others, one.calendar_connection_id]
    const from = one.start_time - one.before_min * MINUTE_MS
    const to = one.end_time + one.after_min * MINUTE_MS
    const isSound =
      needed.every((each) => each === null || resources.includes(each)) &&
      held.every((each) => each.from === from && each.to === to)
    if (!isSound) found.push(one)
  }
  const known = new Set(holders.map(({ holder }) => holder))
  const all = await ask('SELECT DISTINCT holder_id FROM holds')
  return [...found, ...all.filter(({ holder_id }) => !known.has(holder_id))]
}

export function unsoundDeadlines(ask: Ask): Promise<Row[]> {
  return ask(
    `SELECT h.holder_id, h.expires_at, w.expires_at AS own, s.deadline FROM holds h
     LEFT JOIN (SELECT coalesce(booking_id, id) AS holder, expires_at FROM slot_holds
       WHERE status = 'held' AND session_id IS NULL) w ON w.holder = h.holder_id
     LEFT JOIN (SELECT session_id, max(expires_at) AS deadline FROM slot_holds WHERE status = 'held' GROUP BY session_id) s
       ON s.session_id = h.holder_id AND NOT EXISTS (
         SELECT 1 FROM bookings b WHERE b.session_id = h.holder_id AND b.status IN ('confirmed', 'rescheduled'))
     WHERE h.expires_at IS NOT coalesce(w.expires_at, s.deadline)`,
  )
}

export function overlappingMeetings(ask: Ask, eventTypeId: string): Promise<Row[]> {
  return ask(
    `SELECT a.id FROM bookings a JOIN bookings b ON b.event_type_id = a.event_type_id AND a.id < b.id
     AND a.start_time < b.end_time AND b.start_time < a.end_time
     WHERE a.event_type_id = ? AND a.status <> 'cancelled' AND b.status <> 'cancelled'`,
    eventTypeId,
  )
}

/** Sessions that count other seats than are taken, none, or more than `most`. */
export async function unsoundSeats(ask: Ask, most: number): Promise<unknown[]> {
  const sessions = await ask(
    `SELECT s.*, (SELECT coalesce(sum(json_array_length(attendees)), 0) FROM bookings b
       WHERE b.session_id = s.id AND b.status <> 'cancelled' AND b.start_time = s.start_time)
       + (SELECT coalesce(sum(seats), 0) FROM slot_holds w WHERE w.session_id = s.id AND w.status = 'held' AND w.purpose = 'hold') AS really
     FROM sessions s`,
  )
  return sessions.filter(
    ({ seats_taken, really }) => seats_taken !== really || seats_taken < 1 || seats_taken > most,
  )
}

/** An event type that counts other bookings than it has. */
export function miscounted(ask: Ask, eventTypeId: string): Promise<Row[]> {
  return ask(
    `SELECT id, active_bookings AS told, (SELECT count(*) FROM bookings
       WHERE event_type_id = e.id AND status <> 'cancelled') AS really
     FROM event_types e WHERE id = ? AND told <> really`,
    eventTypeId,
  )
}

export async function mostOfADay(ask: Ask, eventTypeId: string): Promise<number> {
  const [most] = await ask(
    `SELECT coalesce(max(n), 0) AS n FROM (SELECT count(*) AS n FROM bookings
       WHERE event_type_id = ? AND status <> 'cancelled' GROUP BY start_time / 86400000)`,
    eventTypeId,
  )
  return most!.n
}
