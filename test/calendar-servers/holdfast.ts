import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWorker, migrateState, SERVICE_KEY, startService } from '../support/service.ts'

type Answer = { readonly status: number; readonly body: any }

/** A running service, whose organizations connect calendars by the API as anybody does. */
export async function openHoldfast() {
  const directory = await mkdtemp(join(tmpdir(), 'calendar-service-'))
  const state = join(directory, 'state')
  const [bundle] = await Promise.all([buildWorker(join(directory, 'build')), migrateState(state)])
  const service = await startService(bundle, state)

  async function call(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const response = await fetch(new URL(path, service.url), {
      method,
      headers: { 'CF-Connecting-IP': '10.3.0.1', 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  /** What a new organization calls, and an event type of it that is open all day. */
  async function newOrganization(mode: 'live' | 'test' = 'live', more = {}) {
    const service = { Authorization: `Bearer ${SERVICE_KEY}` }
    const named = { name: 'Calendars', owner_user_id: randomUUID(), tier: 'scale' }
    const { body: organization } = await call('POST', '/v1/organizations', named, service)
    const { body: made } = await call(
      'POST',
      '/v1/api-keys',
      { name: 'calendars' },
      {
        ...service,
        'X-Org-Id': organization.id,
        'X-Service-Mode': mode,
      },
    )
    const as = (method: string, path: string, body?: unknown) =>
      call(method, path, body, { Authorization: `Bearer ${made.key}` })
    const input = {
      title: 'Intro · Zoë',
      slug: 'intro',
      duration_minutes: 60,
      timezone: 'UTC',
      reminder_intervals: [],
      ...more,
    }
    const { body: eventType } = await as('POST', '/v1/event-types', input)
    const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '00:00',
      end_time: '24:00',
    }))
    await as('PUT', `/v1/event-types/${eventType.id}/availability`, { rules })
    return { as, key: made.key as string, eventTypeId: eventType.id as string }
  }

  return {
    url: service.url,
    newOrganization,
    close: async () => {
      await service.kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export type Holdfast = Awaited<ReturnType<typeof openHoldfast>>
