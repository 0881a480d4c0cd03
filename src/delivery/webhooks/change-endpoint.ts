import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { commit } from '../../platform/http/idempotency.ts'
import { type EndpointRow, findEndpointInTenant, updateEndpointAsRead } from './queries.ts'

export async function getEndpoint(ctx: Context<TenantCaller>, db: Db, id: string): Promise<EndpointRow> {
  const row = await findEndpointInTenant(db, ctx.caller, id)
  if (!row) throw notFound('webhook endpoint')
  return row
}

type EndpointChange = {
  readonly action: string
  /** If empty, nothing is changed and only the response is stored. */
  readonly columns: Partial<EndpointRow>
  readonly changes: Readonly<Record<string, unknown>>
  /** The body of the response, also if the request is repeated. */
  readonly answer: unknown
}

/** Commits a decision about an endpoint as it was read. It is refused if the endpoint's url or secret has changed. */
export async function commitChange(
  ctx: Context<TenantCaller>,
  db: Db,
  read: EndpointRow,
  { action, columns, changes, answer }: EndpointChange,
): Promise<void> {
  const isChanged = Object.keys(columns).length > 0
  const statements = isChanged
    ? [
        ...updateEndpointAsRead(db, read, columns),
        recordActivity(db, ctx.caller, originOf(ctx), {
          action,
          resourceType: 'webhook_endpoint',
          resourceId: read.id,
          changes,
        }),
      ]
    : []
  try {
    await commit(ctx, db, statements, { status: 200, body: answer })
  } catch (error) {
    if (fenceOf(error) !== 'STALE') throw error
    throw refuse('endpoint_changed')
  }
}
