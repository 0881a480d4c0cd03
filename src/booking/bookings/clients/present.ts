import type { Env } from '../../../env.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { isPermitted } from '../../../platform/auth/policy.ts'
import { unseal } from '../../../platform/auth/secret.ts'
import { type ClientRow, NEVER } from '../../../platform/db/schema/clients.ts'
import { formatInstant } from '../../../platform/http/instants.ts'
import type { Client, ListedClient } from './schema.ts'

function openOf({ ENCRYPTION_KEY }: Env, sealed: string | null): Promise<string> | null {
  return sealed === null ? null : unseal(ENCRYPTION_KEY, sealed)
}

export async function presentListedClient(env: Env, row: ClientRow): Promise<ListedClient> {
  return {
    id: row.id,
    email: row.contact.includes('@') ? row.contact : null,
    name: row.name,
    phone: await openOf(env, row.phone),
    bookings: row.bookings,
    cancelled: row.cancelled,
    last: row.lastAt === 0 ? null : formatInstant(row.lastAt),
    next: row.nextAt === NEVER ? null : formatInstant(row.nextAt),
    no_shows: row.noShows,
  }
}

export async function presentClient(env: Env, caller: TenantCaller, row: ClientRow): Promise<Client> {
  const seesNotes = isPermitted(caller, 'book')
  return {
    ...(await presentListedClient(env, row)),
    ...(seesNotes && { notes: await openOf(env, row.notes) }),
  }
}
