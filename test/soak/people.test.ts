import { beforeAll, describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { book, createEventType, unique } from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'
import { run } from '../support/run.ts'
import { unsoundHolds } from '../support/storm/sound.ts'
import { makeWorld, rows, STARTS, type World } from '../support/storm/world.ts'
import { auditPeople } from './audit-people.ts'
import { attendanceOf, Ledger, UNRECORDED } from './ledger.ts'

const WEEK_MS = 604_800_000

let world: World
beforeAll(async () => {
  world = await makeWorld(false)
})

async function found(fill: (ledger: Ledger) => unknown): Promise<string[]> {
  const ledger = new Ledger()
  fill(ledger)
  await auditPeople(rows, ledger)
  return ledger.findings.map((finding) => finding.split(':')[0]!)
}

/** A booking of an event type that needs no host. */
async function booked(at: number) {
  const invitee_email = `${unique('people')}@example.com`
  const { status, body } = await book(world.types[6]!, STARTS[at]!, { invitee_email })
  expect(status).toBe(201)
  return body
}

describe('an audit of what was sent again', () => {
  it('finds a confirmation that was sent too often or never, and one that nobody asked for', async () => {
    const { id } = await booked(0)
    const resent = (least: number, most: number) => found((ledger) => ledger.resent.set(id, { least, most }))
    expect(await resent(0, 1)).toEqual([])
    expect(await resent(1, 1)).toEqual(['sent again too often or never'])
    const { status } = await call('POST', `/v1/bookings/${id}/resend`, { key: world.key, body: {} })
    expect(status).toBe(202)
    expect(await resent(1, 1)).toEqual([])
    expect(await resent(2, 2)).toEqual(['sent again too often or never'])
    expect(await found(() => {})).toEqual(['sent again, and never asked for'])
    await run("DELETE FROM activity WHERE action = 'booking.emails_resent'")
  })
})

describe('an audit of attendance', () => {
  it('finds one that is not as it was acknowledged, and one without its event', async () => {
    const { id, attendees } = await booked(1)
    const known = (...one: string[]) => found((ledger) => ledger.attendance.set(id, one))
    const otherwise = ['an attendance is not as it was acknowledged']
    expect(await known(UNRECORDED)).toEqual([])
    expect(await known(attendanceOf(1, false))).toEqual(otherwise)
    await run(
      'UPDATE bookings SET start_time = start_time - ?, end_time = end_time - ?1 WHERE id = ?2',
      WEEK_MS,
      id,
    )
    const body = { no_shows: [attendees[0].id], host_absent: false }
    const recorded = await call('POST', `/v1/bookings/${id}/attendance`, { key: world.key, body })
    expect(recorded.status).toBe(200)
    expect(await known(attendanceOf(1, false))).toEqual([])
    expect(await known(UNRECORDED, attendanceOf(1, false))).toEqual([])
    expect(await known(UNRECORDED)).toEqual(otherwise)
    expect(await known(attendanceOf(1, true))).toEqual(otherwise)
    await run("DELETE FROM events WHERE kind = 'booking.attendance' AND data ->> 'id' = ?", id)
    expect(await known(attendanceOf(1, false))).toEqual(['events unlike attendance'])
  })
})

describe('an audit of leavers', () => {
  it('finds one who is still there, is gone or still hosts, and a missing event', async () => {
    const { organization } = world
    const { id } = await createMember(organization)
    const left = (hasLeft: boolean | null) =>
      found(({ leavers }) => leavers.push({ id, organizationId: organization.id, hasLeft }))
    expect([await left(false), await left(null)]).toEqual([[], []])
    expect(await left(true)).toEqual(['a member is not as acknowledged'])
    const path = `/v1/organizations/${organization.id}/members/${id}`
    const { status } = await callAsService('DELETE', path, { headers: { 'X-Org-Id': organization.id } })
    expect(status).toBe(204)
    expect([await left(true), await left(null)]).toEqual([[], []])
    expect(await left(false)).toEqual(['a member is not as acknowledged'])
    const { id: bookingId } = await booked(2)
    await run('UPDATE bookings SET assigned_host_id = ? WHERE id = ?', id, bookingId)
    expect(await left(true)).toEqual(['hosted by a member who left'])
    await run('UPDATE bookings SET needs_host = 1 WHERE id = ?', bookingId)
    expect(await left(true)).toEqual(['hosted by a member who left', 'a host is missing, or not'])
    await run('UPDATE bookings SET needs_host = 0, assigned_host_id = NULL WHERE id = ?', bookingId)
    await run("DELETE FROM events WHERE kind = 'member.removed' AND data ->> 'id' = ?", id)
    expect(await left(true)).toEqual(['events unlike members'])
  })

  it('finds what nobody hosts any more and what its event type has not kept the time of', async () => {
    const { organization, key } = await makeWorld(false)
    const { id } = await createMember(organization)
    const { id: eventTypeId } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await call('POST', `/v1/event-types/${eventTypeId}/hosts`, { key, body: { member_id: id } })
    const { body: booking } = await book(eventTypeId, STARTS[3]!)
    const path = `/v1/organizations/${organization.id}/members/${id}`
    await callAsService('DELETE', path, { headers: { 'X-Org-Id': organization.id } })
    const [row] = await rows('SELECT needs_host, assigned_host_id FROM bookings WHERE id = ?', booking.id)
    expect(row).toEqual({ needs_host: 1, assigned_host_id: null })
    const isUnsound = async () => JSON.stringify(await unsoundHolds(rows)).includes(booking.id)
    expect(await isUnsound()).toBe(false)
    await run("DELETE FROM holds WHERE holder_id = ? AND kept_by <> ''", booking.id)
    expect(await isUnsound()).toBe(true)
  })
})
