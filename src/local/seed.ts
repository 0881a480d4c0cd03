import { Api } from './api.ts'
import { DEMO_EVENT_TYPES, DEMO_ORGANIZATION, DEMO_SCHEDULE } from './demo.ts'
import { type EventType, ensureEventType, listEventTypes } from './demo-event-types.ts'
import { recallKeys, rememberKeys } from './demo-file.ts'
import { Failure } from './failure.ts'
import { fillDemo, fillSandbox } from './fill-demo.ts'
import type { Settings } from './settings.ts'

type Organization = { readonly id: string; readonly slug: string }
export type Demo = {
  readonly organization: Organization
  readonly eventTypes: readonly EventType[]
  readonly liveKey: string
  readonly testKey: string
  /** Signs in to the console once. */
  readonly consoleUrl: string
}
type Mode = 'live' | 'test'

/** Makes what is missing of the demo, through the API, and leaves the rest as it is. */
export async function seedDemo(settings: Settings): Promise<Demo> {
  const operator = new Api(settings.url, { Authorization: `Bearer ${settings.serviceKey}` })
  const organization = await ensureOrganization(operator)
  const live = serviceApi(settings, organization, 'live')
  const existing = await listEventTypes(live)
  // Without event types the organization is new, or the start that made it was stopped before it was done.
  if (existing.length === 0) {
    const changes = { tier: 'scale', complete_onboarding: true }
    await operator.need('PATCH', `/v1/organizations/${organization.id}`, changes)
  }
  const eventTypes: EventType[] = []
  for (const wanted of DEMO_EVENT_TYPES) eventTypes.push(await ensureEventType(live, existing, wanted))
  await ensureSchedule(live)
  await fillDemo(operator, live, organization.id, eventTypes)
  const sandbox = serviceApi(settings, organization, 'test')
  await fillSandbox(sandbox)
  await ensureSchedule(sandbox)
  const liveKey = await ensureKey(settings, organization, 'live')
  const testKey = await ensureKey(settings, organization, 'test')
  const link = { organization_id: organization.id }
  const { url } = await operator.need<{ url: string }>('POST', '/v1/console-links', link)
  const { pathname, search } = new URL(url)
  return { organization, eventTypes, liveKey, testKey, consoleUrl: settings.url + pathname + search }
}

function serviceApi({ url, serviceKey }: Settings, organization: Organization, mode: Mode): Api {
  return new Api(url, {
    Authorization: `Bearer ${serviceKey}`,
    'X-Org-Id': organization.id,
    'X-Service-Mode': mode,
    // The member who acts gets no email about it.
    'X-User-Id': DEMO_ORGANIZATION.owner_user_id,
  })
}

async function ensureOrganization(operator: Api): Promise<Organization> {
  const path = `/v1/organizations?owner_user_id=${DEMO_ORGANIZATION.owner_user_id}`
  const found = await operator.call<Organization>('GET', path)
  if (found.status === 200) return found.body
  if (found.status !== 404) {
    throw new Failure(`The service does not take SERVICE_KEY from .dev.vars: it answered ${found.status}.`)
  }
  return operator.need<Organization>('POST', '/v1/organizations', DEMO_ORGANIZATION)
}

/** After the event types, so that those of an earlier start that have no hours yet get their own. */
async function ensureSchedule(live: Api): Promise<void> {
  const { data } = await live.need<{ data: unknown[] }>('GET', '/v1/schedules?limit=1')
  if (data.length === 0) await live.need('POST', '/v1/schedules', DEMO_SCHEDULE)
}

/** The remembered key while the service takes it, else a new one: the database may be newer than the file. */
async function ensureKey(settings: Settings, organization: Organization, mode: Mode): Promise<string> {
  const remembered = recallKeys(settings.demoFile)[mode]
  if (remembered && (await isTaken(settings.url, remembered))) return remembered
  const { key } = await serviceApi(settings, organization, mode).need<{ key: string }>(
    'POST',
    '/v1/api-keys',
    {
      name: `npm start, ${mode}`,
    },
  )
  rememberKeys(settings.demoFile, { ...recallKeys(settings.demoFile), [mode]: key })
  return key
}

async function isTaken(url: string, key: string): Promise<boolean> {
  const { status } = await new Api(url, { Authorization: `Bearer ${key}` }).call(
    'GET',
    '/v1/api-keys?limit=1',
  )
  return status !== 401
}
