import { isLimited } from '../../money/plan-limits/refusals.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { enqueueEmail } from '../../outbox/mail/enqueue-email.ts'
import type { Enqueued } from '../../outbox/mail/enqueued.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { operatorEmail } from '../../outbox/mail/operator-email.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { Refused, tooOften } from '../../platform/http/errors.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { SUPPORT_REQUESTS_A_DAY } from '../../platform/limits/plan-limits.ts'
import { untilMidnight } from '../../platform/limits/window.ts'
import { presentSupportRequest } from './present.ts'
import {
  getOrganizationName,
  guardSupportRequests,
  insertSupportRequest,
  type SupportRequestRow,
} from './queries.ts'
import type { CreateSupportRequestInput, SupportRequest } from './schema.ts'

export async function createSupportRequest(
  ctx: Context<TenantCaller>,
  input: CreateSupportRequestInput,
): Promise<SupportRequest> {
  const { organizationId, isTest } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const organizationName = await getOrganizationName(db, organizationId)

  const now = realNow()
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
    ...(isLimited(ctx.caller) ? [guardSupportRequests(db, ctx.caller, now)] : []),
    insertSupportRequest(db, row),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'support_request.created',
      resourceType: 'support_request',
      resourceId: row.id,
      changes: { subject, category },
    }),
    ...(posting?.statements ?? []),
  ]
  try {
    await commit(ctx, db, statements, { status: 201, body: created })
  } catch (error) {
    if (fenceOf(error) !== 'PLAN_LIMIT') throw error
    throw new Refused(
      tooOften('support_requests_per_day', untilMidnight(now), { most: SUPPORT_REQUESTS_A_DAY }),
    )
  }

  await posting?.announce()
  return created
}

async function postToOperator(
  ctx: Context<TenantCaller>,
  db: Db,
  row: SupportRequestRow,
  organizationName: string,
): Promise<Enqueued | null> {
  const to = ctx.env.SUPPORT_EMAIL
  if (!to) return null
  const subject = `[${row.category}] ${row.subject}`
  const content = {
    heading: subject,
    facts: [
      { label: 'Message', quote: row.message },
      { label: 'From', lines: [`${inBody(organizationName)} (${row.organizationId})`] },
      { label: 'Request', lines: [row.id] },
    ],
  }
  const letter = { onceKey: `${row.id}/support-request`, to, ...operatorEmail(content) }
  return enqueueEmail(ctx.env, db, ctx.caller, letter, { isCounted: false })
}
