import type { Json } from '../world.ts'
import { Refusal } from './refuse.ts'
import type { Caller } from './state.ts'

type Answered = { readonly json?: unknown; readonly refusal?: Refusal; readonly original?: string }

const DAY_MS = 24 * 3_600_000

/**
 * The same key has the same answer for a day, whether it was good or bad; what was refused before the work began is not
 * kept. docs.stripe.com/api/idempotent_requests; stripe/stripe-ruby#598 (another endpoint), stripe/stripe-ruby#503
 */
export async function answerOnce(
  { stripe, request }: Caller,
  name: string,
  path: string,
  form: URLSearchParams,
  perform: () => Json,
): Promise<Answered> {
  const key = request.idempotency_key
  const at = stripe.frame.now()
  const parameters = [...form]
    .map((pair) => JSON.stringify(pair))
    .sort()
    .join()
  if (key !== null) {
    if (key.length > 255)
      throw new Refusal(400, { message: 'Idempotency-Key must be at most 255 characters long.' }, false)
    const kept = stripe.keys.get(name)
    if (kept && at - kept.at < DAY_MS) {
      checkSame(key, kept.path, path, kept.parameters === parameters)
      if (!kept.answer) throw inUse(key)
      return kept.answer instanceof Refusal
        ? { refusal: kept.answer, original: kept.request }
        : { json: kept.answer.json, original: kept.request }
    }
    stripe.keys.set(name, { request: request.id ?? '', path, parameters, at, answer: null })
  }
  let answered: Answered
  try {
    answered = run(perform)
  } catch (error) {
    stripe.keys.delete(name)
    throw error
  }
  if (stripe.settings.takesMs > 0) await new Promise((done) => setTimeout(done, stripe.settings.takesMs))
  const kept = stripe.keys.get(name)
  if (kept && key !== null)
    if (answered.refusal && !answered.refusal.isKept) stripe.keys.delete(name)
    else kept.answer = answered.refusal ?? { json: answered.json, status: 200 }
  return answered
}

function run(perform: () => Json): Answered {
  try {
    return { json: structuredClone(perform()) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error }
    throw error
  }
}

function checkSame(key: string, kept: string, path: string, isSame: boolean): void {
  if (kept !== path)
    throw new Refusal(
      400,
      {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${kept}'). Try using a key other than '${key}' if you meant to execute a different request.`,
      },
      false,
    )
  // fjordllc/bootcamp#3928
  if (!isSame)
    throw new Refusal(
      400,
      {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      },
      false,
    )
}

function inUse(key: string): Refusal {
  return new Refusal(
    409,
    {
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    false,
    { 'Stripe-Should-Retry': 'true' },
  )
}
