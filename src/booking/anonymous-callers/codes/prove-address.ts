import type { Schedule } from '../../../engine/schedule/schedule.ts'
import type { Turn } from '../../../engine/turn/verb.ts'
import type { Statement } from '../../../platform/db/client.ts'
import { because, type Refusal } from '../../../platform/http/errors.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { codeMarkOf, subjectOf } from './code.ts'
import { spendCode, tryCode } from './queries.ts'

export type Proof = {
  readonly refusal: Refusal | null
  /** Ends the code, in the batch that it allows. */
  readonly statements: readonly Statement[]
}

type Input = {
  readonly invitee_email: string
  readonly verification_code?: string | null | undefined
}

const PROVEN: Proof = { refusal: null, statements: [] }
const UNVERIFIED: Proof = { refusal: because('email_unverified'), statements: [] }

/**
 * Whether a caller without a key has proven the address, if the event type requires it. Every check counts as an attempt. A
 * dry run counts nothing and therefore accepts any code.
 */
export async function proveAddress(
  { env, db, isDry }: Pick<Turn, 'env' | 'db' | 'isDry'>,
  eventType: Schedule['eventType'],
  input: Input,
  now: PresentMs,
): Promise<Proof> {
  if (!eventType.verifyEmail) return PROVEN
  const code = input.verification_code?.trim()
  if (!code) return UNVERIFIED
  if (isDry) return PROVEN
  const subject = await subjectOf(env, eventType.id, input.invitee_email)
  const codeMark = await codeMarkOf(env, subject, code)
  const isRight = await tryCode(db, subject, codeMark, now)
  return isRight ? { refusal: null, statements: spendCode(db, subject, codeMark) } : UNVERIFIED
}
