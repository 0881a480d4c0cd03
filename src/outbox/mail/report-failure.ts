import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { type EmailFailure, emailFailureOf } from '../../platform/email/email-failure.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

/**
 * Why an email was not sent. The log has refusals that are final, without the address, and the operator is notified of what only
 * they can change.
 */
export async function reportFailure(
  env: Env,
  db: Db,
  tenant: Pick<Tenant, 'organizationId'>,
  error: unknown,
  now: RealMs,
): Promise<EmailFailure> {
  const failure = emailFailureOf(error)
  if (failure === 'passing') return failure
  const { code } = error as { readonly code: string }
  if (failure === 'final') {
    console.error(JSON.stringify({ email: 'refused', code }))
    return failure
  }
  const { notifyOperator } = await import('./operator-notices/notify-operator.ts')
  const fault = `Cloudflare Email Sending refuses emails with ${code}.`
  await notifyOperator(
    env,
    db,
    tenant,
    { subject: failure === 'quota' ? 'emailQuota' : 'emailSender', fault },
    now,
  )
  return failure
}
