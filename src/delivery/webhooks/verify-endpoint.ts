import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { assertChallengeable, sendChallenge } from './challenge.ts'
import { commitChange, getEndpoint } from './change-endpoint.ts'
import { presentEndpoint } from './present.ts'
import type { WebhookEndpoint } from './schema.ts'
import { signingSecrets } from './signing-secrets.ts'

/** Sends the challenge again. The endpoint is verified or failed by its outcome; success lifts a suspension. */
export async function verifyEndpoint(ctx: Context<TenantCaller>, id: string): Promise<WebhookEndpoint> {
  const db = openDb(ctx.env, 'decide')
  const before = await getEndpoint(ctx, db, id)

  await assertChallengeable(db, before)
  const verification = await sendChallenge(
    ctx.env,
    before.url,
    await signingSecrets(ctx.env, before, realNow()),
  )
  const isVerified = verification.verificationStatus === 'verified'
  const columns = {
    ...verification,
    ...(isVerified && { consecutiveFailures: 0, suspendedAt: null }),
    updatedAt: Date.now(),
  }
  const after = presentEndpoint({ ...before, ...columns })

  await commitChange(ctx, db, before, {
    action: isVerified ? 'webhook_endpoint.verified' : 'webhook_endpoint.verification_failed',
    columns,
    changes: { verification_last_error: after.verification_last_error },
    answer: after,
  })
  return after
}
