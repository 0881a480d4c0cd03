import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { amount } from '../support/chance.ts'
import { createEventType, createOrganization, dayFromNow, iso, openStarts } from '../support/factories.ts'
import { mortalService } from '../support/mortal-service.ts'

const SLOT = dayFromNow(3) + 10 * 3_600_000
/** More round trips than a confirm takes. */
const LIFETIMES = 9
/** In `npm test` a hold of one seat meets every other point, and a hold in a group those between. */
const STEP = amount(2, 1)

async function soundnessOf(eventTypeId: string) {
  const count = async (sql: string) => (await env.DB.prepare(sql).bind(eventTypeId).first<number>('n'))!
  return {
    bookings: await count(
      "SELECT count(*) AS n FROM bookings WHERE event_type_id = ? AND status <> 'cancelled'",
    ),
    holds: await count('SELECT count(*) AS n FROM holds WHERE resource_id = ?'),
    open: await count("SELECT count(*) AS n FROM slot_holds WHERE event_type_id = ? AND status = 'held'"),
  }
}

for (const [turn, max_attendees] of [1, 4].entries()) {
  for (const isLast of [true, false]) {
    const told = `${max_attendees} seat(s), the last round trip ${isLast ? 'carried out' : 'lost'}`
    it(`survives the death of a process at any point, from the hold to a repeated confirm: ${told}`, async () => {
      const { liveKey } = await createOrganization()
      for (let lifetime = turn % STEP; lifetime < LIFETIMES; lifetime += STEP) {
        const { id } = await createEventType(liveKey, { max_attendees, buffer_after_minutes: 10 })
        const body = { event_type_id: id, start_time: iso(SLOT), ttl_seconds: 900 }
        const headers = { 'Idempotency-Key': `hold ${lifetime}` }
        await mortalService(lifetime, isLast).call('POST', '/v1/holds', { body, headers })
        const held = await call('POST', '/v1/holds', { body, headers })
        expect(held.status, `${lifetime}`).toBe(201)
        expect(await soundnessOf(id)).toEqual({ bookings: 0, holds: 1, open: 1 })

        const path = `/v1/holds/${held.body.id}/confirm?token=${held.body.token}`
        const invitee = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' }
        await mortalService(lifetime, isLast).call('POST', path, { body: invitee })
        const confirmed = await call('POST', path, { body: invitee })
        expect([200, 201], `${lifetime}`).toContain(confirmed.status)
        await mortalService(lifetime, isLast).call('POST', path, { body: invitee })
        const again = await call('POST', path, { body: invitee })
        expect([again.status, again.body]).toEqual([200, confirmed.body])
        expect(await soundnessOf(id)).toEqual({ bookings: 1, holds: 1, open: 0 })
        const later = await call(
          'POST',
          `/v1/bookings/${again.body.id}/cancel?token=${again.body.cancel_token}`,
        )
        expect(later.status).toBe(200)
        expect(await soundnessOf(id)).toEqual({ bookings: 0, holds: 0, open: 0 })
        expect(await openStarts(id, SLOT)).toContain(iso(SLOT))
      }
    })
  }
}
