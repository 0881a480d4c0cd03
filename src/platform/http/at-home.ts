import { shardOfSecret } from '../auth/secret.ts'
import { isId, shardOf } from '../db/ids.ts'
import { inShard } from '../db/shards.ts'
import type { Context } from './context.ts'

/** What a request says, once it was found to be valid. */
export type Input = {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
}

type Named = Readonly<Record<string, unknown>> | undefined

/**
 * The same context with the database of what the request is about: the caller's organization, or what somebody without one
 * names. A request that names nothing of its own is left with the directory, and seeks further where it must.
 */
export function atHome(ctx: Context, input: Input | null): Context {
  const env = inShard(ctx.env, shardOfAsked(ctx, input))
  return env === ctx.env ? ctx : { ...ctx, env }
}

function shardOfAsked({ caller }: Context, input: Input | null): number {
  if ('organizationId' in caller) return shardOf(caller.organizationId)
  const [params, query, body] = [input?.params as Named, input?.query as Named, input?.body as Named]
  const named = [params?.id, params?.orgId, query?.event_type_id, body?.event_type_id, body?.organization_id]
  const id = named.find((each) => typeof each === 'string' && isId(each))
  if (id !== undefined) return shardOf(id as string)
  // An invitation is known by its token alone.
  return typeof body?.token === 'string' ? shardOfSecret(body.token) : 0
}
