import assert from 'node:assert/strict'
import { openHoldfast } from '../calendar-servers/holdfast.ts'
import { KINDS, type Kind } from './clients.ts'
import { installPython, PYTHON } from './python.ts'

// Whether clients of the agent protocol that others wrote find, book, move and cancel a time: `npm run agents`. They are packages
// of this folder, and one that pip installs into it.

const DAY_MS = 86_400_000
const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

async function walk(
  { connect }: Kind,
  url: string,
  key: string | null,
  eventTypeId: string,
): Promise<number> {
  const client = await connect({ url, key })
  try {
    const names = await client.toolNames()
    for (const name of ['find_open_times', 'book', 'reschedule_booking', 'cancel_booking'])
      assert.ok(names.includes(name), `${name} is not among ${names}`)
    const range = { start: dateIn(2), end: dateIn(3), timezone: 'Europe/Berlin' }
    const { slots } = await client.call('find_open_times', { event_type_id: eventTypeId, ...range })
    assert.ok(slots.length > 2, 'no open times')
    const booked = await client.call('book', {
      event_type_id: eventTypeId,
      start_time: slots[0].start_time,
      ...{ invitee_name: 'Ada “Ace” 🎉', invitee_email: 'ada@example.com' },
    })
    assert.equal(booked.start_time, slots[0].start_time)
    const own = { id: booked.id, ...(key === null && { token: booked.cancel_token }) }
    const moved = await client.call('reschedule_booking', { ...own, new_start_time: slots[2].start_time })
    assert.equal(moved.start_time, slots[2].start_time)
    assert.equal((await client.call('cancel_booking', own)).status, 'cancelled')
    return names.length
  } finally {
    await client.close()
  }
}

const holdfast = await openHoldfast()
const url = new URL('/mcp', holdfast.url).href
let failures = 0
const hasPython = installPython()
if (hasPython === null) console.log('The client for Python is left out: there is no pip.')
if (hasPython === false) console.log('The client for Python is left out: pip cannot install it.')
for (const kind of hasPython ? [...KINDS, PYTHON] : KINDS) {
  for (const isSigned of [false, true]) {
    const { key, eventTypeId } = await holdfast.newOrganization()
    const how = `${kind.name}, ${isSigned ? 'with' : 'without'} a key`
    try {
      const tools = await walk(kind, url, isSigned ? key : null, eventTypeId)
      console.log(`${how}: ${tools} tools; booked, moved and cancelled.`)
    } catch (error) {
      failures += 1
      console.log(`${how}: ${(error as Error).stack}`)
    }
  }
}
await holdfast.close()
process.exit(hasPython !== false && failures === 0 ? 0 : 1)
