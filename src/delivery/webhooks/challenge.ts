import type { Env } from '../../env.ts'
import { randomSecret } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { looseId } from '../../platform/db/ids.ts'
import { invalid, Refused, tooOften } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { refusePublicUrl } from '../../platform/http/public-url.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { askReceiver } from './ask-receiver.ts'
import type { Reply } from './post/post-webhook.ts'
import { CHALLENGES_AN_HOUR, type EndpointRow, noteChallenge } from './queries.ts'

type Verification = Pick<EndpointRow, 'verificationStatus' | 'verifiedAt' | 'verificationLastError'>

const MAX_BYTES = 16 * 1024
/** Our own receiver, which stores nothing. `npm start` has it at a private address. */
const OWN_RECEIVER = '/v1/test-data/webhook'

export function assertUrlAllowed(env: Env, url: string): void {
  if (url === env.PUBLIC_URL + OWN_RECEIVER) return
  const refusal = refusePublicUrl(url, env.ALLOW_PRIVATE_HOSTS === 'true')
  if (refusal !== null) throw invalid({ url: refusal })
}

/** Refuses a call that would challenge the endpoint too often; otherwise counts the challenge. */
export async function assertChallengeable(db: Db, { id }: EndpointRow): Promise<void> {
  const now = realNow()
  const nextAt = await noteChallenge(db, id, now)
  if (nextAt === null) return
  throw new Refused(tooOften('verifications_per_hour', nextAt - now, { most: CHALLENGES_AN_HOUR }))
}

/** Asks the receiver to return a random text, so that nobody gets events that they did not request. */
export async function sendChallenge(
  env: Env,
  url: string,
  secrets: readonly [string, ...string[]],
): Promise<Verification> {
  const challenge = randomSecret()
  const now = Date.now()
  const body = { type: 'webhook.verification', challenge, created_at: formatInstant(now) }
  const message = {
    url,
    secrets,
    id: looseId(),
    timestampSeconds: Math.floor(now / 1000),
    body: JSON.stringify(body),
  }
  const reply = await askReceiver(env, message, MAX_BYTES)
  const error = errorIn(reply, challenge)
  return error === null
    ? { verificationStatus: 'verified', verifiedAt: Date.now(), verificationLastError: null }
    : { verificationStatus: 'failed', verifiedAt: null, verificationLastError: error }
}

function errorIn(reply: Reply, challenge: string): string | null {
  if (reply.kind === 'unanswered') return reply.reason
  const { status, body } = reply
  if (status >= 300 && status < 400) return `Answered with ${status}; redirects are not followed.`
  if (status < 200 || status > 299) return `Answered with ${status}.`
  return isEchoed(body, challenge) ? null : 'The answer does not contain the challenge.'
}

function isEchoed(body: string, challenge: string): boolean {
  if (body.trim() === challenge) return true
  try {
    const value: unknown = JSON.parse(body)
    if (value === challenge) return true
    return (
      typeof value === 'object' && value !== null && 'challenge' in value && value.challenge === challenge
    )
  } catch {
    return false
  }
}
