import type { Env } from '../../env.ts'
import type { KeptAttachment } from '../../outbox/mail/store-sandbox-emails.ts'
import { unseal } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { type OutboxRow, selectFiles } from './queries.ts'
import type { OutboxItem } from './schema.ts'

type Kept = Partial<Pick<OutboxItem, 'html'>> & {
  readonly fromName?: string
  readonly replyTo?: string
  readonly text: string
  readonly attachments?: readonly KeptAttachment[]
}

/** A page of an organization's sandbox outbox for reading: unsealed, each email with its attachments. */
export async function presentOutbox(
  env: Env,
  db: Db,
  organizationId: string,
  rows: readonly OutboxRow[],
): Promise<OutboxItem[]> {
  const bodies = await Promise.all(rows.map(async (row) => ({ row, kept: await open(env, row.body) })))
  const referred = bodies.flatMap(({ kept }) =>
    (kept.attachments ?? []).flatMap((one) => ('file' in one ? [one.file] : [])),
  )
  const files = await contents(env, db, organizationId, [...new Set(referred)])
  return bodies.map(({ row, kept }) => ({
    id: row.id,
    channel: row.channel,
    to: row.recipient,
    from_name: kept.fromName ?? null,
    reply_to: kept.replyTo ?? null,
    subject: row.subject,
    body: kept.text,
    html: kept.html ?? null,
    attachments: (kept.attachments ?? []).map((one) =>
      'file' in one
        ? { filename: one.filename, type: one.type, content: files.get(one.file) ?? '' }
        : { ...one },
    ),
    created_at: formatInstant(row.createdAt),
  }))
}

async function open(env: Env, body: string): Promise<Kept> {
  return JSON.parse(await unseal(env.ENCRYPTION_KEY, body)) as Kept
}

async function contents(
  env: Env,
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const files = await selectFiles(db, organizationId, ids)
  const opened = files.map(
    async ({ id, content }) => [id, await unseal(env.ENCRYPTION_KEY, content)] as const,
  )
  return new Map(await Promise.all(opened))
}
