import type { Env } from '../../../env.ts'
import { enqueueEmail } from '../../../outbox/mail/enqueue-email.ts'
import type { PublicCaller } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { guardUnsuspended } from '../../../platform/db/guard-unsuspended.ts'
import { isId, looseId } from '../../../platform/db/ids.ts'
import { refusalAnswer } from '../../../platform/http/answer.ts'
import type { Context } from '../../../platform/http/context.ts'
import { because, missing, notFound, type Refusal, Refused } from '../../../platform/http/errors.ts'
import { openStored, selectStored, storeResponse } from '../../../platform/http/idempotency.ts'
import { type IdempotencyClaim, isDecided, scopedTo } from '../../../platform/http/idempotency-claim.ts'
import { formatInstant } from '../../../platform/http/instants.ts'
import { WholeAnswer } from '../../../platform/http/route.ts'
import { type Change, runChange } from '../../../platform/http/run-change.ts'
import { spokenTag } from '../../../platform/i18n/tags.ts'
import { nowAsSeen } from '../../../platform/limits/clock.ts'
import { markCaller } from '../anonymous-caller.ts'
import { countMail, mailCounts, refuseToMail } from '../mail-anonymously.ts'
import { codeMarkOf, LIFE_MS, newCode, subjectOf } from './code.ts'
import { putCode, selectAsked } from './queries.ts'
import type { EmailVerification, RequestVerificationInput } from './schema.ts'
import { verificationEmail } from './verification-email.ts'

const MAX_ATTEMPTS = 5

type Asked = Awaited<ReturnType<typeof selectAsked>>[number]

/** Emails a code to any address; the answer does not reveal whether the address is known. */
export async function requestVerification(
  ctx: Context<PublicCaller>,
  { event_type_id: eventTypeId, email, locale }: RequestVerificationInput,
): Promise<EmailVerification | WholeAnswer> {
  const { env, now: realNow } = ctx
  if (!isId(eventTypeId)) throw notFound('event type')
  const claim = scopedTo(ctx.claim, eventTypeId)
  const anonymous = await markCaller(env, { ipAddress: ctx.ipAddress, email, now: realNow })
  const decide = async (db: Db): Promise<Change<EmailVerification | WholeAnswer>> => {
    const [[asked], storedRows, [counts]] = await db.batch([
      selectAsked(db, eventTypeId),
      selectStored(db, claim),
      mailCounts(db, eventTypeId, anonymous),
    ])
    const stored = claim && (await openStored(env, claim, storedRows))
    if (stored) return { body: replay(stored), statements: [] }
    const refusal = refuse(asked) ?? refuseToMail(asked!.organization, anonymous, counts!, realNow)
    if (refusal) return refuseAndKeep(env, claim, refusal)

    const { eventType, organization } = asked!
    const expiresAt = nowAsSeen(eventType.isTest, organization.sandboxNow, realNow) + LIFE_MS
    const answer = { expires_at: formatInstant(expiresAt) }
    const letter = await codeEmail(env, db, asked!, email, locale, { expiresAt, realNow })
    const statements = [
      guardUnsuspended(db, eventType.organizationId),
      ...countMail(db, eventType, organization, anonymous),
      ...letter.statements,
    ]
    return { status: 202, body: answer, statements, announce: letter.announce }
  }
  return runChange({ env, claim }, decide, { attempts: MAX_ATTEMPTS })
}

function refuse(asked: Asked | undefined): Refusal | null {
  if (!asked?.eventType.active || asked.eventType.deletedAt !== null) return missing('event type')
  if (asked.organization.suspendedAt !== null) return because('takes_no_bookings')
  return asked.eventType.verifyEmail ? null : because('no_code_needed')
}

async function codeEmail(
  env: Env,
  db: Db,
  { eventType, about, people }: Asked,
  email: string,
  locale: string | null | undefined,
  { expiresAt, realNow }: { readonly expiresAt: number; readonly realNow: number },
): Promise<{ readonly statements: readonly Statement[]; readonly announce: () => Promise<void> }> {
  const code = newCode()
  const subject = await subjectOf(env, eventType.id, email)
  const codeMark = await codeMarkOf(env, subject, code)
  const tenant = { organizationId: eventType.organizationId, isTest: eventType.isTest }
  const letter = verificationEmail({
    onceKey: `${looseId()}/code`,
    to: email,
    locale: spokenTag(locale, about.sender.locale),
    code,
    about,
    people,
  })
  const posted = await enqueueEmail(env, db, tenant, { ...letter, until: realNow + LIFE_MS })
  const put = putCode(db, { subject, codeMark, expiresAt, createdAt: realNow })
  return { statements: [put, ...posted.statements], announce: posted.announce }
}

function replay(stored: NonNullable<Awaited<ReturnType<typeof openStored>>>): WholeAnswer {
  if ('refusal' in stored) throw new Refused(stored.refusal)
  return new WholeAnswer(stored.replay, true)
}

async function refuseAndKeep(env: Env, claim: IdempotencyClaim | null, refusal: Refusal): Promise<never> {
  if (claim && refusal.code !== 'not_found' && isDecided(refusal))
    await storeResponse(env, claim, refusalAnswer(refusal))
  throw new Refused(refusal)
}
