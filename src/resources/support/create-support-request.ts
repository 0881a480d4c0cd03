import type { TenantCaller } from '../../auth/caller.ts'
import { type Db, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { type Context, originOf } from '../../http/context.ts'
import { commit } from '../../http/idempotency.ts'
import { recordActivity } from '../activity/statements.ts'
import { operatorLetter } from '../mail/operator-letter.ts'
import { postLetter } from '../mail/post-letter.ts'
import type { Posting } from '../mail/posting.ts'
import { presentSupportRequest } from './present.ts'
import { getOrganizationName, insertSupportRequest, type SupportRequestRow } from './queries.ts'
import type { CreateSupportRequestInput, SupportRequest } from './schema.ts'

export async function createSupportRequest(
  ctx: Context<TenantCaller>,
  input: CreateSupportRequestInput,
): Promise<SupportRequest> {
  const { organizationId, isTest } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const organizationName = await getOrganizationName(db, organizationId)

  const { subject, message, category } = input
  const row: SupportRequestRow = {
    id: newId(organizationId),
    organizationId,
    isTest,
    subject,
    message,
    category,
    status: 'open',
    createdAt: ctx.now,
  }
  const created = presentSupportRequest(row)

  const posting = await postToOperator(ctx, db, row, organizationName)
  const statements = [
    insertSupportRequest(db, row),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'support_request.created',
      resourceType: 'support_request',
      resourceId: row.id,
      changes: { subject, category },
    }),
    ...(posting?.statements ?? []),
  ]
  await commit(ctx, db, statements, { status: 201, body: created })

  await posting?.announce()
  return created
}

async function postToOperator(
  ctx: Context<TenantCaller>,
  db: Db,
  row: SupportRequestRow,
  organizationName: string,
): Promise<Posting | null> {
  const to = ctx.env.SUPPORT_EMAIL
  if (!to) return null
  const subject = `[${row.category}] ${row.subject}`
  const content = {
    heading: subject,
    facts: [
      { label: 'Message', quote: row.message },
      { label: 'From', lines: [`${organizationName} (${row.organizationId})`] },
      { label: 'Request', lines: [row.id] },
    ],
  }
  const letter = { onceKey: `${row.id}/support-request`, to, ...operatorLetter(content) }
  return postLetter(ctx.env, db, ctx.caller, letter, { isCounted: false })
}
