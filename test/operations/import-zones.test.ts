import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { importWhole, listed, openForeign } from '../support/foreign.ts'
import type { World } from '../support/world.ts'

/** No runtime knows all zones that there will be. */
const ZONE = 'America/Atlantis'

const SERVICES = {
  calendly: { hours: 'user_availability_schedules', zone: { timezone: ZONE } },
  calcom: { hours: 'schedules', zone: { timeZone: ZONE } },
} as const

async function change(world: World, path: string, data: unknown): Promise<void> {
  const response = await fetch(`${world.base}/control/objects/${path}`, {
    method: 'PUT',
    body: JSON.stringify(data),
  })
  expect(response.status).toBe(204)
}

it.each(Object.keys(SERVICES) as (keyof typeof SERVICES)[])(
  'hours of %s in a zone that is not known are left out rather than read in another one',
  async (service) => {
    const { hours, zone } = SERVICES[service]
    const { organization, world } = await openForeign(service)
    const [first] = (await world.look())[hours]!
    await change(world, `${hours}/${first!.uuid ?? first!.id}`, zone)
    const { left_out } = await importWhole(service, organization)
    expect(left_out).toContainEqual({
      what: expect.stringContaining(`Hours “${first!.name}” of `),
      why: expect.stringContaining('timezone: '),
    })
    const made = await listed(organization, '/v1/schedules')
    expect(made.map(({ timezone }) => timezone)).not.toContain('UTC')
  },
)

it('a booking whose invitee is in a zone that is not known has none', async () => {
  const { organization, world } = await openForeign('calendly')
  const { invitees = [] } = await world.look()
  for (const { uuid } of invitees) await change(world, `invitees/${uuid}`, { timezone: ZONE })
  expect((await importWhole('calendly', organization)).made.bookings).toBeGreaterThan(0)
  const { results } = await env.DB.prepare(
    'SELECT DISTINCT invitee_timezone, zone_unknown FROM bookings WHERE organization_id = ?',
  )
    .bind(organization.id)
    .all()
  expect(results).toEqual([{ invitee_timezone: 'UTC', zone_unknown: 1 }])
})
