import type { Context } from '../../platform/http/context.ts'
import { Refused } from '../../platform/http/errors.ts'
import { findStored, storeResponse } from '../../platform/http/idempotency.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import { WholeAnswer } from '../../platform/http/route.ts'
import { hashed } from './hashed.ts'

/**
 * Acts once under an Idempotency-Key on a body that is read while it comes: what the request was is known at its end. So of an
 * earlier answer, the body is read first, and of a refusal, which left nothing behind, nothing is kept.
 */
export async function importOnce<T>(
  { env, claim }: Pick<Context, 'env' | 'claim'>,
  body: ReadableStream<Uint8Array>,
  status: number,
  act: (body: ReadableStream<Uint8Array>) => Promise<T>,
): Promise<T | WholeAnswer> {
  if (!claim) return act(body)
  const { stream, digest } = hashed(body)
  const whole = async (): Promise<IdempotencyClaim> => ({
    ...claim,
    requestHash: `${claim.requestHash}/${await digest}`,
  })
  if (await findStored(env, claim)) {
    await stream.pipeTo(new WritableStream())
    const kept = await findStored(env, await whole())
    if (kept && 'refusal' in kept) throw new Refused(kept.refusal)
    if (kept) return new WholeAnswer(kept.replay, true)
  }
  const answer = await act(stream).catch((error) => {
    throw error instanceof Refused ? new Refused(error.refusal, true) : error
  })
  await storeResponse(env, await whole(), { status, body: answer })
  return answer
}
