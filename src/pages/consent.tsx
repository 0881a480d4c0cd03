import { Refused } from '../http/errors.ts'
import { CALLBACKS } from '../resources/consents/callbacks.ts'
import { confirmConsent } from '../resources/consents/confirm-consent.ts'
import { declineConsent } from '../resources/consents/decline-consent.ts'
import type { ConsentProvider } from '../resources/consents/providers.ts'
import { reviewConsent } from '../resources/consents/review-consent.ts'
import { ProviderAnswer } from '../resources/consents/schema.ts'
import { consentRefused, showEnd } from './end-consent.tsx'
import type { Handler, Page } from './page.ts'
import { readForm } from './read-form.ts'
import { html } from './respond.ts'
import { ConsentForm } from './views/consent-form.tsx'

type ConsentHandler = (provider: ConsentProvider) => Handler

/** Back from the provider: shows the owner of the account for whom it is, and asks whether they want that. */
export const askConsent = orRefused(async (page, asked) => {
  const given = ProviderAnswer.parse(Object.fromEntries(page.url.searchParams))
  const reviewed = await reviewConsent(page.ctx, asked, given)
  if ('end' in reviewed) return showEnd(page, asked, reviewed.end)
  const { question } = reviewed
  return html(
    page,
    <ConsentForm page={page} provider={asked} providerName={CALLBACKS[asked].name} question={question} />,
    { isPrivate: true, isBare: { formLeadsTo: question.redirectUrl } },
  )
})

export const answerConsent = orRefused(async (page, asked) => {
  const form = await readForm(page)
  const answer = form.get('answer') === 'connect' ? confirmConsent : declineConsent
  return showEnd(page, asked, await answer(page.ctx, asked, form.get('grant') ?? ''))
})

/** Without a valid state or grant nobody is redirected. */
function orRefused(handle: (page: Page, asked: ConsentProvider) => Promise<Response>): ConsentHandler {
  return (provider) => async (page) => {
    try {
      return await handle(page, provider)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return consentRefused(page, error.refusal)
    }
  }
}
