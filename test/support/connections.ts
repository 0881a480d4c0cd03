import { env } from 'cloudflare:workers'
import { looseId, newId } from '../../src/platform/db/ids.ts'
import { homeOf } from '../../src/platform/db/shards.ts'
import type { Organization } from './factories.ts'
import { run } from './run.ts'

/** A connection (the owner's unless said otherwise) whose server nobody can reach and whose credentials nobody can open. */
export async function insertConnection(
  organization: Organization,
  mode: 'live' | 'test',
  {
    mark = looseId(),
    provider = 'caldav',
    memberId = null,
    calendarId = 'work',
  }: {
    readonly mark?: string
    readonly provider?: string
    readonly memberId?: string | null
    readonly calendarId?: string
  } = {},
): Promise<string> {
  const id = newId(organization.id)
  const { DB } = homeOf(env, organization.id)
  const metadata = {
    preset: 'custom',
    server_url: 'https://caldav.invalid/',
    auth_method: 'basic',
    calendar_url: '',
  }
  const isTheirs = "m.organization_id = ?2 AND (m.id = ?6 OR (?6 IS NULL AND m.role = 'owner'))"
  const isTest = mode === 'test' ? 1 : 0
  await DB.batch([
    DB.prepare(
      `INSERT INTO calendar_accounts (id, organization_id, is_test, member_id, provider, account_key, account_email,
         server_url, credentials, connected_at, updated_at)
       SELECT ?1, ?2, ?3, m.id, ?4, ?5, ?5, '', 'sealed', ?7, ?7 FROM members m WHERE ${isTheirs}`,
    ).bind(id, organization.id, isTest, provider, mark, memberId, Date.now()),
    DB.prepare(
      `INSERT INTO calendar_connections (id, organization_id, is_test, member_id, account_id, provider,
         account_email, calendar_id, provider_metadata, status, sync_status, next_sync_at, connected_at,
         updated_at, receives_bookings)
       SELECT ?1, ?2, ?3, m.id, ?1, ?4, ?5, ?9, ?8, 'active', 'connected', 9999999999999, ?7, ?7,
         NOT EXISTS (SELECT 1 FROM calendar_connections WHERE member_id = m.id AND is_test = ?3 AND receives_bookings)
       FROM members m WHERE ${isTheirs}`,
    ).bind(
      id,
      organization.id,
      isTest,
      provider,
      mark,
      memberId,
      Date.now(),
      JSON.stringify(metadata),
      calendarId,
    ),
  ])
  return id
}

/** Changes columns of a connection. */
export const setConnection = (id: string, change: string) =>
  run(`UPDATE calendar_connections SET ${change} WHERE id = ?`, id)

/** An account of Zoom whose credentials nobody can open. */
export async function insertAccount(organization: Organization, mode: 'live' | 'test'): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO conferencing_connections (id, organization_id, is_test, provider, account_email, credentials, status,
       connected_at, updated_at) VALUES (?1, ?2, ?3, 'video_a', ?1, 'sealed', 'active', ?4, ?4) ON CONFLICT DO NOTHING`,
  )
    .bind(looseId(), organization.id, mode === 'test' ? 1 : 0, Date.now())
    .run()
}
