import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { seal } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { Attachment, Email } from '../../platform/email/email-sender.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { Enqueued } from './enqueued.ts'
import { insertSandboxEmails, type SandboxFileRow } from './queries.ts'

/** An attachment of a stored email. If several emails share it, it is stored once, under the id `file`. */
export type KeptAttachment = Attachment | (Omit<Attachment, 'content'> & { readonly file: string })

type SandboxEmail = {
  readonly onceKey: string
  readonly email: Email
  readonly isCounted: boolean
}

/** Stores the emails of a sandbox instead of sending them, so that they can be read. */
export async function storeSandboxEmails(
  env: Env,
  db: Db,
  tenant: Tenant,
  letters: readonly SandboxEmail[],
  now: RealMs,
): Promise<Enqueued> {
  const { organizationId } = tenant
  const shared = await sharedFiles(env, organizationId, letters, now)
  const refer = ({ content, ...attachment }: Attachment): KeptAttachment => {
    const file = shared.get(content)
    return file ? { ...attachment, file: file.id } : { ...attachment, content }
  }
  const items = letters.map(
    async ({ onceKey, isCounted, email: { to: recipient, subject, attachments, ...words } }) => {
      const body = { ...words, ...(attachments && { attachments: attachments.map(refer) }) }
      const kept = await seal(env.ENCRYPTION_KEY, JSON.stringify(body))
      const item = {
        id: newId(organizationId),
        organizationId,
        onceKey,
        channel: 'email' as const,
        recipient,
        subject,
        body: kept,
        createdAt: now,
      }
      return { item, isCounted }
    },
  )
  const files = [...shared.values()]
  return {
    statements: insertSandboxEmails(db, tenant, await Promise.all(items), files, now),
    messages: [],
    announce: async () => {},
  }
}

/** Attachments that several emails share, by content. */
async function sharedFiles(
  env: Env,
  organizationId: string,
  letters: readonly SandboxEmail[],
  now: RealMs,
): Promise<ReadonlyMap<string, SandboxFileRow>> {
  const seen = new Set<string>()
  const shared = new Map<string, SandboxFileRow>()
  for (const { content } of letters.flatMap(({ email }) => email.attachments ?? [])) {
    if (seen.has(content) && !shared.has(content)) {
      const sealed = await seal(env.ENCRYPTION_KEY, content)
      shared.set(content, { id: newId(organizationId), organizationId, content: sealed, createdAt: now })
    }
    seen.add(content)
  }
  return shared
}
