import { env } from 'cloudflare:workers'
import { askAccount } from '../../src/calendars/accounts/ask-account.ts'
import { unseal } from '../../src/platform/auth/secret.ts'
import { CalendarError, type CalendarFailure } from '../../src/platform/icalendar/calendar-error.ts'
import { type Organization, unique } from './factories.ts'
import { run } from './run.ts'
import type { Service } from './service-with.ts'
import { syncWith } from './sync.ts'

export async function rowOf(id: string): Promise<any> {
  return env.DB.prepare('SELECT * FROM calendar_connections WHERE id = ?').bind(id).first()
}

/** A sync that ends so. */
export function failSync(
  { env: of }: Service,
  id: string,
  failure: CalendarFailure,
  retryAfterMs: number | null = null,
) {
  const listChanges = () => Promise.reject(new CalendarError(failure, `It is ${failure}.`, retryAfterMs))
  return syncWith(of, id, () => ({ listChanges }))
}

/** A sync as the provider answers it. */
export async function sync({ env: of }: Service, { id, account_id }: { id: string; account_id: string }) {
  await askAccount(of, account_id).sync({ connectionId: id, since: Date.now() + 1, isForced: true })
}

/** Gives the owner an address that letters can go to. */
export async function ownerWithAddress({ ownerUserId }: Organization): Promise<string> {
  const address = `${unique('owner')}@example.com`
  await run('UPDATE members SET user_email = ? WHERE user_id = ?', address, ownerUserId)
  return address
}

/** What was told by letter, in the order of the addresses. */
export async function emailsOf({ id }: Organization) {
  const { results } = await env.DB.prepare(
    `SELECT recipient, message FROM posted_letters WHERE organization_id = ? AND kind = 'ready' ORDER BY recipient`,
  )
    .bind(id)
    .all<{ recipient: string; message: string }>()
  return Promise.all(
    results.map(async ({ recipient, message }) => ({
      recipient,
      ...(JSON.parse(await unseal(env.ENCRYPTION_KEY, message)) as { subject: string; text: string }),
    })),
  )
}

/** The events of calendars, in order, with their data. */
export async function tidingsOf({ call }: Service, key: string): Promise<any[]> {
  const { body } = await call('GET', '/v1/events?limit=100', { key })
  return body.data.filter(({ event }: { event: string }) => event.startsWith('calendar.'))
}

export async function actionsOf({ call }: Service, key: string, id: string): Promise<string[]> {
  const { body } = await call('GET', `/v1/activity?resource_id=${id}&limit=100`, { key })
  return body.data.map(({ action }: { action: string }) => action)
}
