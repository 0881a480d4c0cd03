import type { Env } from '../../env.ts'
import { seal } from '../../platform/auth/secret.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { insertSandboxItem, type SandboxItemRow } from './queries.ts'

type SandboxItem = Pick<
  SandboxItemRow,
  'organizationId' | 'onceKey' | 'channel' | 'recipient' | 'subject' | 'createdAt'
> & {
  /** The content: `text`, and what else the channel has. */
  readonly body: { readonly text: string }
}

/**
 * Stores what would have left the sandbox, so that it can be read. The body may contain tokens, so it is sealed.
 * The statement is wrapped in an object because Drizzle's statements run when they are awaited.
 */
export async function storeSandboxItem(
  env: Env,
  db: Db,
  item: SandboxItem,
): Promise<{ readonly statement: Statement }> {
  const body = await seal(env.ENCRYPTION_KEY, JSON.stringify(item.body))
  return { statement: insertSandboxItem(db, { ...item, id: newId(item.organizationId), body }) }
}
