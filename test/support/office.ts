import { askService } from './ask-service.ts'
import { SERVICE_KEY } from './service.ts'

export type Letter = {
  readonly to: string
  readonly subject: string
  readonly body: string
  readonly html: string
  readonly attachments: readonly { readonly content: string }[]
}

const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

/** An organization of the service at `url` with a logo, whose sandbox keeps what would be sent. */
export async function openOffice(url: string, slug: string) {
  const ask = (method: string, path: string, body: unknown, key: string, headers = {}): Promise<any> =>
    askService(url, method, path, body, key, headers)
  const owner = `${slug}@example.com`
  const input = {
    name: 'Büro Nordwind',
    slug,
    owner_user_id: slug,
    owner_email: owner,
    timezone: 'Europe/Berlin',
  }
  const organization = await ask('POST', '/v1/organizations', input, SERVICE_KEY)
  await ask('PATCH', `/v1/organizations/${organization.id}`, { tier: 'scale' }, SERVICE_KEY)
  const mode = (name: string) => ({ 'X-Org-Id': organization.id, 'X-Service-Mode': name })
  const { key } = await ask('POST', '/v1/api-keys', { name: 'letters' }, SERVICE_KEY, mode('test'))
  const branding = {
    logo_url: 'https://cdn.example.com/logo.svg',
    logo_dark_url: 'https://cdn.example.com/dark.svg',
    imprint_url: 'https://example.com/imprint',
    privacy_url: 'https://example.com/privacy',
  }
  await ask('PATCH', '/v1/branding', branding, SERVICE_KEY, mode('live'))
  const members = await ask(
    'GET',
    `/v1/organizations/${organization.id}/members`,
    null,
    SERVICE_KEY,
    mode('live'),
  )
  const ownersPath = `/v1/organizations/${organization.id}/members/${members.data[0].id}`
  const offer = async (eventType: Record<string, unknown>): Promise<string> => {
    const made = await ask(
      'POST',
      '/v1/event-types',
      { duration_minutes: 60, reminder_intervals: [], ...eventType },
      key,
    )
    await ask(
      'PUT',
      `/v1/event-types/${made.id}/availability`,
      { rules: ALL_DAY, timezone: eventType.timezone },
      key,
    )
    return made.id
  }
  return {
    owner,
    key,
    ask,
    offer,
    setOwner: (body: unknown) => ask('PATCH', ownersPath, body, SERVICE_KEY, mode('live')),
    book: (event_type_id: string, start: number, more: Record<string, unknown>) =>
      ask('POST', '/v1/bookings', bookingOf(event_type_id, start, more), ''),
    letters: async (count: number): Promise<Letter[]> => {
      for (let tries = 0; tries < 300; tries++) {
        const { data } = await ask('GET', '/v1/test-data/outbox?limit=100', null, key)
        const letters = data.filter(({ channel }: { channel: string }) => channel === 'email')
        if (letters.length >= count) return letters.reverse()
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`there are not ${count} letters`)
    },
  }
}

export function bookingOf(event_type_id: string, start: number, more: Record<string, unknown>) {
  return {
    event_type_id,
    start_time: new Date(start).toISOString(),
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
    invitee_timezone: 'Asia/Tokyo',
    ...more,
  }
}
