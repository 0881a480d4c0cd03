import { shardOfSecret } from '../auth/secret.ts'
import { isId, shardOf } from '../db/ids.ts'
import { inShard } from '../db/shards.ts'
import { refusalAnswer } from './answer.ts'
import type { Context } from './context.ts'
import { Refused } from './errors.ts'
import { findStored, storeResponse } from './idempotency.ts'
import { isDecided, PUBLIC_SCOPE } from './idempotency-claim.ts'
import { nameField, nameFieldIn } from './name-field.ts'
import { type Route, WholeAnswer } from './route.ts'

/** A request's validated parts. */
export type Input = {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
}

/** Runs the handler; for a request with an Idempotency-Key it returns or stores the response. */
export async function runRoute(route: Route, asked: Context, readInput: () => Input): Promise<unknown> {
  let input: Input | null = null
  try {
    const result = await runOnce(route, asked, () => {
      input = readInput()
      return input
    })
    return input ? nameFieldIn(result, route, input) : result
  } catch (error) {
    if (!(error instanceof Refused) || !input) throw error
    throw new Refused(nameField(error.refusal, route, input), error.isKept)
  }
}

async function runOnce(route: Route, asked: Context, readInput: () => Input): Promise<unknown> {
  const { claim } = asked
  if (claim === null) {
    const input = readInput()
    return route.handler(atHome(asked, input), input)
  }
  let input: Input | Refused
  try {
    input = readInput()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    input = error
  }
  const ctx = atHome(asked, input instanceof Refused ? null : input)
  const isVerbs = route.idempotency === 'by-verb'
  // Idempotency-Keys of anonymous callers belong to an event type, which only the verb knows: it stores refusals itself.
  if (isVerbs && claim.scope === PUBLIC_SCOPE) {
    if (input instanceof Refused) throw input
    return route.handler(ctx, input)
  }
  const kept = isVerbs && !(input instanceof Refused) ? null : await findStored(ctx.env, claim)
  if (kept && 'refusal' in kept) throw new Refused(kept.refusal)
  if (kept) return new WholeAnswer(kept.replay, true)
  try {
    if (input instanceof Refused) throw input
    return await route.handler(ctx, input)
  } catch (error) {
    if (error instanceof Refused && !error.isKept && isDecided(error.refusal) && !claim.keepsNoRefusal) {
      const isFirst = await storeResponse(ctx.env, claim, refusalAnswer(error.refusal))
      // A verb looks up the stored response itself, but is not called if the request names no event type.
      const first = isFirst ? null : await findStored(ctx.env, claim)
      if (first && 'refusal' in first) throw new Refused(first.refusal)
      if (first && first.replay.status >= 400) return new WholeAnswer(first.replay, true)
    }
    throw error
  }
}

type Named = Readonly<Record<string, unknown>> | undefined

/**
 * The context with the database of the caller's organization, or of what an anonymous request names. A request that names
 * nothing gets the directory, and its handler looks further.
 */
function atHome(ctx: Context, input: Input | null): Context {
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
