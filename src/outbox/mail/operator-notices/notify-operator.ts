import { DAY_MS } from '../../../core/time-units.ts'
import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import { commitBatch, type Db } from '../../../platform/db/client.ts'
import { looseId } from '../../../platform/db/ids.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import type { EmailContent } from '../email-content.ts'
import { enqueueEmail } from '../enqueue-email.ts'
import { isNotifiedSince, noteNotified } from './queries.ts'

/** The calendar and meeting providers at which the deployment is registered, or not. */
const REGISTRATIONS = {
  calendar_a: { at: 'Google', variables: 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET' },
  calendar_b: { at: 'Microsoft', variables: 'MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET' },
  video_a: { at: 'Zoom', variables: 'ZOOM_CLIENT_ID and ZOOM_CLIENT_SECRET' },
  caldav: { at: 'CalDAV servers', variables: 'the variables' },
  ics: { at: 'hosts of feeds', variables: 'the variables' },
} as const

/** What else only the operator can mend: what does not work, and what to do. */
const OTHERS = {
  stripe: {
    heading: 'Stripe refuses what this service asks for',
    advice: [
      'Organizations get 502 for it until it is fixed: check STRIPE_SECRET_KEY, and what the Stripe dashboard asks the platform to switch on or to confirm, under Settings, Connect.',
      'The next attempt after that is a new one at Stripe. This email comes once a day while the fault lasts.',
    ],
  },
  emailQuota: {
    heading: 'Emails wait: the quota for sending is used up',
    advice: [
      'Cloudflare limits what an account sends in a day and in a while. Emails wait for up to two days; confirmations and codes go out before reminders.',
      'Request a higher limit in the Cloudflare dashboard, under Email Sending. This email comes once a day while the fault lasts.',
    ],
  },
  emailSender: {
    heading: 'Emails are not sent: Cloudflare does not accept the sender',
    advice: [
      'Check that the domain of EMAIL_FROM is onboarded to Email Sending in the Cloudflare account. Emails are retried for almost a day.',
      'This email comes once a day while the fault lasts, as soon as it can be sent.',
    ],
  },
} as const

/** A fault that only the operator can mend, in one sentence without secrets. */
type Fault = { readonly subject: keyof typeof REGISTRATIONS | keyof typeof OTHERS; readonly fault: string }

/**
 * Notifies the operator of a fault in what this service has at a provider: in the log each time, and by an email to
 * `SUPPORT_EMAIL` once a day, however many accounts meet it at once. `foundBy` is the organization that met it. It
 * never throws.
 */
export async function notifyOperator(
  env: Env,
  db: Db,
  foundBy: Pick<Tenant, 'organizationId'>,
  { subject, fault }: Fault,
  now: RealMs,
): Promise<void> {
  console.error(JSON.stringify({ misconfigured: subject, cause: fault }))
  const to = env.SUPPORT_EMAIL
  if (!to) return
  try {
    const since = now - DAY_MS
    if (await isNotifiedSince(db, subject, since)) return
    const tenant = { organizationId: foundBy.organizationId, isTest: false }
    const { operatorEmail } = await import('../operator-email.ts')
    const notice = operatorEmail(noticeOf({ subject, fault }))
    const letter = { onceKey: `${looseId()}/operator-notice`, to, ...notice }
    const posting = await enqueueEmail(env, db, tenant, letter, { now, isCounted: false })
    await commitBatch(db, [...noteNotified(db, subject, since, now), ...posting.statements])
    await posting.announce()
  } catch (error) {
    // Another process sent it.
    if (fenceOf(error) === 'STALE') return
    console.error(JSON.stringify({ operatorNotice: subject, cause: bareError(error).stack }))
  }
}

function noticeOf({ subject, fault }: Fault): EmailContent {
  if (subject in OTHERS) {
    const { heading, advice } = OTHERS[subject as keyof typeof OTHERS]
    return { heading, paragraphs: [fault, ...advice] }
  }
  const { at, variables } = REGISTRATIONS[subject as keyof typeof REGISTRATIONS]
  return {
    heading: `This service's registration at ${at} does not work`,
    paragraphs: [
      fault,
      `No account there can be used until it is fixed: check ${variables}, when the secret expires, and whether the API is enabled for the registration.`,
      'Nothing is disconnected. Every account is retried each hour, and works again after the first successful attempt. This email comes once a day while the fault lasts.',
    ],
  }
}
