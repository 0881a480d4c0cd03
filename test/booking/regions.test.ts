import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { callAsService } from '../support/app.ts'
import { createOrganization, unique } from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'

/** A service that notes which objects it created where. */
function placingService() {
  const placed: unknown[][] = []
  const service = serviceWith({})
  const EVENT_TYPES = {
    getByName: (...given: unknown[]) => ({ forget: async () => void placed.push(given) }),
  }
  Object.assign(service.env, { EVENT_TYPES })
  return { ...service, placed }
}

it('the object of a new event type is created in the region of its organization, if it has one', async () => {
  const service = placingService()
  const organization = await createOrganization()
  const make = () =>
    service.call('POST', '/v1/event-types', {
      key: organization.liveKey,
      body: { title: 'Intro call', slug: unique('intro'), duration_minutes: 30 },
    })
  expect((await make()).status).toBe(201)
  await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { region: 'weur' } })
  const { body } = await make()
  await vi.waitFor(() => expect(service.placed).toEqual([[body.id, { locationHint: 'weur' }]]))
  const { results } = await env.DB.prepare('SELECT id FROM event_types WHERE organization_id = ?')
    .bind(organization.id)
    .all()
  expect(results).toHaveLength(2)
})
