/**
 * Why Cloudflare did not take an email: `code` of what `send` throws. `quota`: the account may send no more today, or not so fast.
 * `final`: the same email is never taken. `sender`: only the operator can help. `passing`: another attempt may succeed.
 * Source: https://developers.cloudflare.com/email-service/api/send-emails/workers-api/ and /platform/limits/, read 2026-11
 */
export type EmailFailure = 'quota' | 'final' | 'sender' | 'passing'

const BY_CODE: ReadonlyMap<unknown, EmailFailure> = new Map([
  ['E_DAILY_LIMIT_EXCEEDED', 'quota'],
  ['E_RATE_LIMIT_EXCEEDED', 'quota'],
  ['E_RECIPIENT_SUPPRESSED', 'final'],
  ['E_VALIDATION_ERROR', 'final'],
  ['E_SENDER_NOT_VERIFIED', 'sender'],
])

export function emailFailureOf(error: unknown): EmailFailure {
  return BY_CODE.get((error as { readonly code?: unknown } | null)?.code) ?? 'passing'
}
