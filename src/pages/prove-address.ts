import { emailVerificationRoutes } from '../booking/anonymous-callers/codes/routes.ts'
import type { Acted } from '../platform/http/act-as.ts'
import type { Refusal } from '../platform/http/errors.ts'
import { ask } from './ask.ts'
import type { Page } from './page.ts'
import type { Filled } from './read-form.ts'

/** The outcome of sending a form; without a refusal, a code was sent and the form asks for it. */
type Sent<T> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly refusal: Refusal | null; readonly filled: Filled }

/** Sends a form whose address may have to be proven; if no code was sent yet, sends one. */
export async function sendProven<T>(
  page: Page,
  eventTypeId: string,
  filled: Filled,
  send: () => Promise<Acted<T>>,
): Promise<Sent<T>> {
  if (filled.wantsCode) return mailCode(page, eventTypeId, filled)
  const asked = await send()
  if (asked.ok) return asked
  const isUnverified = asked.refusal.details?.code === 'email_unverified'
  // A code was sent to this address: without the code, the form came too soon.
  const isCodeAsked = isSameAddress(filled.codeFor, filled.email)
  if (isUnverified && !isCodeAsked) return mailCode(page, eventTypeId, filled)
  return { ok: false, refusal: asked.refusal, filled }
}

async function mailCode(page: Page, eventTypeId: string, filled: Filled): Promise<Sent<never>> {
  const body = { event_type_id: eventTypeId, email: filled.email, locale: page.locale.tag }
  const asked = await ask(page.ctx, emailVerificationRoutes.requestEmailVerification, { body })
  // An address that gets no more codes for now may still have a valid one.
  const isAsked = asked.ok || asked.refusal.code === 'rate_limit_exceeded'
  const next = isAsked ? { ...filled, code: '', codeFor: filled.email } : filled
  return { ok: false, refusal: asked.ok ? null : asked.refusal, filled: next }
}

function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
