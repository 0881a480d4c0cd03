import { unseal } from '../../auth/secret.ts'
import type { Env } from '../../env.ts'
import { formatInstant } from '../../http/fields.ts'
import type { OutboxItem } from './schema.ts'
import type { OutboxRow } from './store.ts'

type Kept = Partial<Pick<OutboxItem, 'html' | 'attachments'>> & { readonly text: string }

export async function presentOutboxItem(env: Env, row: OutboxRow): Promise<OutboxItem> {
  const kept = JSON.parse(await unseal(env.ENCRYPTION_KEY, row.body)) as Kept
  return {
    id: row.id,
    channel: row.channel,
    to: row.recipient,
    subject: row.subject,
    body: kept.text,
    html: kept.html ?? null,
    attachments: kept.attachments ?? [],
    created_at: formatInstant(row.createdAt),
  }
}
