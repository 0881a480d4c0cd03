import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askService } from './ask-service.ts'
import { takeBuilt } from './build-for-e2e.ts'
import { SERVICE_KEY, startService } from './service.ts'

const WORKING_HOURS = [1, 2, 3, 4, 5].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '17:00',
}))

/** A service of its own, with one organization that has booking pages. */
export async function startStudio(settings: Readonly<Record<string, string>> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-pages-'))
  const state = join(directory, 'state')
  const bundle = await takeBuilt(state)
  const service = await startService(bundle, state, '', settings)
  return {
    url: service.url,
    ...(await openStudio(service.url)),
    close: async () => {
      await service.kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function openStudio(url: string) {
  const ask = (method: string, path: string, body: unknown, key = '', headers = {}) =>
    askService(url, method, path, body, key, headers)
  const input = {
    name: 'Northwind Studio',
    slug: 'northwind',
    owner_user_id: 'owner',
    timezone: 'Europe/Berlin',
  }
  const organization = await ask('POST', '/v1/organizations', input, SERVICE_KEY)
  await ask('PATCH', `/v1/organizations/${organization.id}`, { tier: 'scale' }, SERVICE_KEY)
  const mode = { 'X-Org-Id': organization.id }
  const { key } = await ask('POST', '/v1/api-keys', { name: 'pages' }, SERVICE_KEY, mode)

  const offer = async (eventType: Record<string, unknown>) => {
    const made = await ask('POST', '/v1/event-types', { booking_page_enabled: true, ...eventType }, key)
    await ask('PUT', `/v1/event-types/${made.id}/availability`, { rules: WORKING_HOURS }, key)
    return made as { readonly id: string; readonly slug: string }
  }
  /** Adds new members as hosts. */
  const host = async (eventTypeId: string, names: readonly string[]): Promise<string[]> => {
    const ids: string[] = []
    for (const name of names) {
      const user_email = `host-${crypto.randomUUID()}@example.com`
      const { token } = await ask(
        'POST',
        `/v1/organizations/${organization.id}/invitations`,
        { email: user_email, role: 'member' },
        SERVICE_KEY,
        mode,
      )
      const accepted = { token, user_id: user_email, user_email }
      const { id } = await ask('POST', '/v1/invitations/accept', accepted, SERVICE_KEY)
      await ask('PATCH', `/v1/organizations/${organization.id}/members/${id}`, { name }, key)
      await ask('POST', `/v1/event-types/${eventTypeId}/hosts`, { member_id: id }, key)
      ids.push(id)
    }
    return ids
  }
  const allowRedirectsTo = async (redirectUrl: string): Promise<void> => {
    const hosts = { allowed_redirect_hosts: [new URL(redirectUrl).host] }
    await ask('PATCH', `/v1/organizations/${organization.id}`, hosts, SERVICE_KEY)
  }
  const preview = async (input: object) => {
    const test = { ...mode, 'X-Service-Mode': 'test' }
    const { key: testKey } = await ask('POST', '/v1/api-keys', { name: 'preview' }, SERVICE_KEY, test)
    const { id, preview_url } = await ask(
      'POST',
      '/v1/event-types',
      { duration_minutes: 60, ...input },
      testKey,
    )
    await ask('PUT', `/v1/event-types/${id}/availability`, { rules: WORKING_HOURS }, testKey)
    const { pathname, search } = new URL(preview_url)
    const charge = () => ask('PATCH', `/v1/event-types/${id}`, { price_amount: 4_900 }, testKey)
    return { path: pathname + search, charge }
  }
  return {
    offer,
    host,
    allowRedirectsTo,
    intro: await offer({
      title: 'Intro call',
      slug: 'intro-call',
      description: 'Half an hour to get to know each other and see whether we fit.',
      duration_minutes: 30,
      duration_options: [30, 60],
      location: 'Oranienstraße 12, Berlin',
    }),
    call: await offer({
      title: 'Video call',
      slug: 'video-call',
      duration_minutes: 30,
      conferencing_provider: 'custom',
      custom_meeting_url: 'https://meet.example.com/northwind',
    }),
    yoga: await offer({
      title: 'Morning yoga',
      slug: 'morning-yoga',
      description: 'Bring a mat.',
      duration_minutes: 60,
      max_attendees: 2,
      color: '#facc15',
      waitlist_enabled: true,
    }),
    /** Where the owner of a Google account gives permission, to come back to `redirectUrl` in the end. */
    connectGoogle: async (redirectUrl: string): Promise<string> => {
      await allowRedirectsTo(redirectUrl)
      const query = new URLSearchParams({ redirect_url: redirectUrl })
      return (await ask('GET', `/v1/calendars/calendar_a/connect?${query}`, null, key)).url
    },
    calendars: async (): Promise<any[]> => (await ask('GET', '/v1/calendars', null, key)).data,
    /** Of a booking in test mode, which waits for a payment that nobody makes. */
    bookUnpaid: async (start: string): Promise<{ id: string; cancel_token: string }> => {
      const test = { ...mode, 'X-Service-Mode': 'test' }
      const { key: testKey } = await ask('POST', '/v1/api-keys', { name: 'unpaid' }, SERVICE_KEY, test)
      const paid = { title: 'Portrait', slug: 'portrait', duration_minutes: 60, price_amount: 4_900 }
      const { id } = await ask('POST', '/v1/event-types', paid, testKey)
      await ask('PUT', `/v1/event-types/${id}/availability`, { rules: WORKING_HOURS }, testKey)
      const invitee = { invitee_name: 'Grace', invitee_email: 'grace@example.com' }
      return ask('POST', '/v1/bookings', { event_type_id: id, start_time: start, ...invitee })
    },
    /** The address of a page that takes money, with all that is tried on it as test data. */
    previewPaid: async (slug: string): Promise<string> => {
      const { path } = await preview({ title: 'Sitting', slug, price_amount: 4_900 })
      return path
    },
    /** The same for nothing, until it is charged for. */
    previewFree: () => preview({ title: 'Portrait', slug: 'portrait' }),
    book: (eventTypeId: string, start: string, who: string) =>
      ask('POST', '/v1/bookings', {
        event_type_id: eventTypeId,
        start_time: start,
        invitee_name: who,
        invitee_email: `${who}@example.com`,
      }),
    bookings: async (): Promise<any[]> => (await ask('GET', '/v1/bookings?limit=100', null, key)).data,
  }
}
export type Studio = Awaited<ReturnType<typeof startStudio>>
