import type { Ask } from '../support/storm/sound.ts'
import { attendanceOf, type Ledger, UNRECORDED } from './ledger.ts'

/** Compares what was sent again, who came and who left with what was acknowledged. */
export async function auditPeople(ask: Ask, ledger: Ledger): Promise<void> {
  await compareResent(ask, ledger)
  await compareAttendance(ask, ledger)
  await compareLeavers(ask, ledger)
}

async function compareResent(ask: Ask, ledger: Ledger): Promise<void> {
  const rows = await ask(
    "SELECT resource_id AS id, count(*) AS times FROM activity WHERE action = 'booking.emails_resent' GROUP BY 1",
  )
  const times = new Map<string, number>(rows.map((row) => [row.id, row.times]))
  for (const [id, range] of ledger.resent) {
    const really = times.get(id) ?? 0
    times.delete(id)
    if (really < range.least || really > range.most)
      ledger.find('sent again too often or never', id, range, really)
    ledger.resent.set(id, { least: really, most: really })
  }
  for (const [id] of times) ledger.find('sent again, and never asked for', id)
}

async function compareAttendance(ask: Ask, ledger: Ledger): Promise<void> {
  const rows = await ask(
    `SELECT b.id, b.no_shows, b.host_absent, b.attendance_at,
       (SELECT count(*) FROM activity a WHERE a.resource_id = b.id AND a.action = 'booking.attendance_recorded') AS recorded,
       (SELECT count(*) FROM events e WHERE e.kind = 'booking.attendance' AND e.data ->> 'id' = b.id) AS events
     FROM bookings b JOIN json_each(?) known ON known.value = b.id`,
    JSON.stringify([...ledger.attendance.keys()]),
  )
  for (const row of rows) {
    const known = ledger.attendance.get(row.id)!
    const isRecorded = row.attendance_at !== null
    const really = isRecorded ? attendanceOf(row.no_shows, row.host_absent === 1) : UNRECORDED
    const isNoted = row.recorded === row.events && row.events > 0 === isRecorded
    if (!known.includes(really)) ledger.find('an attendance is not as it was acknowledged', row, known)
    if (!isNoted) ledger.find('events unlike attendance', row)
    ledger.attendance.set(row.id, [really])
  }
}

/** Of those who left, nothing upcoming is hosted; each has one event. */
async function compareLeavers(ask: Ask, ledger: Ledger): Promise<void> {
  const ids = JSON.stringify(ledger.leavers.map(({ id }) => id))
  const members = await ask('SELECT m.id FROM members m JOIN json_each(?) known ON known.value = m.id', ids)
  const there = new Set(members.map(({ id }) => id))
  const removed = await ask(
    "SELECT data ->> 'id' AS id, count(*) AS times FROM events WHERE kind = 'member.removed' AND is_test = 0 GROUP BY 1",
  )
  const told = new Map(removed.map(({ id, times }) => [id, times]))
  for (const leaver of ledger.leavers) {
    const isThere = there.has(leaver.id)
    if (leaver.hasLeft !== null && leaver.hasLeft === isThere)
      ledger.find('a member is not as acknowledged', leaver)
    if ((told.get(leaver.id) ?? 0) !== (isThere ? 0 : 1))
      ledger.find('events unlike members', leaver, told.get(leaver.id))
    leaver.hasLeft = !isThere
  }
  const hosted = await ask(HOSTED_BY_NOBODY, Date.now())
  if (hosted.length > 0) ledger.find('hosted by a member who left', hosted.length, ...hosted.slice(0, 3))
  const unlike = await ask(NEEDS_HOST)
  if (unlike.length > 0) ledger.find('a host is missing, or not', unlike.length, ...unlike.slice(0, 3))
}

const HOSTED_BY_NOBODY = `SELECT b.id, b.assigned_host_id, b.co_hosts FROM bookings b
  WHERE b.status <> 'cancelled' AND b.end_time > ?
    AND (b.assigned_host_id NOT IN (SELECT id FROM members)
      OR EXISTS (SELECT 1 FROM json_each(b.co_hosts) host WHERE host.value ->> 'member_id' NOT IN (SELECT id FROM members))
      OR EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = b.event_type_id
        AND h.member_id NOT IN (SELECT id FROM members)))`

const NEEDS_HOST = `SELECT id, needs_host, assigned_host_id FROM bookings
  WHERE needs_host = 1 AND assigned_host_id IS NOT NULL AND status <> 'cancelled'`
