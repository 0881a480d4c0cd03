import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { seal, unseal } from '../../../platform/auth/secret.ts'
import type { Db } from '../../../platform/db/client.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { type Change, runChange } from '../../../platform/http/run-change.ts'
import { getClientRow } from './find-client.ts'
import { presentClient } from './present.ts'
import type { Client, UpdateClientInput } from './schema.ts'
import { noteAbout } from './statements.ts'

export function updateClient(
  ctx: Context<TenantCaller>,
  contact: string,
  input: UpdateClientInput,
): Promise<Client> {
  return runChange(ctx, (db) => decide(ctx, db, contact, input))
}

async function decide(
  ctx: Context<TenantCaller>,
  db: Db,
  contact: string,
  input: UpdateClientInput,
): Promise<Change<Client>> {
  const { env, caller, now } = ctx
  const { ENCRYPTION_KEY: key } = env
  const row = await getClientRow({ env, tenant: caller, now }, db, contact)
  const before = row.notes === null ? null : await unseal(key, row.notes)
  const after = input.notes === undefined ? before : input.notes || null
  if (after === before) return { body: await presentClient(env, caller, row), statements: [] }
  const notes = after === null ? null : await seal(key, after)
  const statements = [
    ...noteAbout(db, row, notes),
    recordActivity(db, caller, originOf(ctx), {
      action: 'client.updated',
      resourceType: 'client',
      resourceId: row.id,
      changes: { changed: ['notes'] },
    }),
  ]
  return { body: await presentClient(env, caller, { ...row, notes }), statements }
}
