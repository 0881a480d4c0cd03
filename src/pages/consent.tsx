import { ERRORS, type Refusal, Refused } from '../http/errors.ts'
import { CALLBACKS } from '../resources/consents/callbacks.ts'
import { confirmConsent } from '../resources/consents/confirm-consent.ts'
import type { ConsentEnd } from '../resources/consents/consent-end.ts'
import { declineConsent } from '../resources/consents/decline-consent.ts'
import type { ConsentProvider } from '../resources/consents/providers.ts'
import { reviewConsent } from '../resources/consents/review-consent.ts'
import { ProviderAnswer } from '../resources/consents/schema.ts'
import { fill } from './i18n/plural.ts'
import type { Handler, Page } from './page.ts'
import { readForm } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { ConsentForm } from './views/consent-form.tsx'
import { Document } from './views/document.tsx'
import { Notice } from './views/notice.tsx'

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

/** After a no, people stay here until they choose to go on: they may not know who sent them. */
function showEnd(page: Page, provider: ConsentProvider, end: ConsentEnd): Response {
  if (end.kind !== 'declined' && end.to !== null) return seeOther(page, end.to)
  const { texts } = page.locale
  const [name, product] = [CALLBACKS[provider].name, 'Holdfast']
  switch (end.kind) {
    case 'connected':
      return ending(page, 'check', texts.accountConnected, texts.closePage)
    case 'declined': {
      const rest = end.isGivenBack ? texts.permissionGivenBack : texts.permissionStays
      return ending(page, 'cross', texts.nothingConnected, fill(rest, { provider: name, product }), end.to)
    }
    case 'refused':
      return consentRefused(page, end.refusal.refusal)
  }
}

function consentRefused(page: Page, { code, message }: Refusal): Response {
  const { nothingConnected, refusedOtherwise } = page.locale.texts
  const text = fill(refusedOtherwise, { reason: message })
  return ending(page, 'cross', nothingConnected, text, null, ERRORS[code].status)
}

function ending(
  page: Page,
  icon: 'check' | 'cross',
  title: string,
  text: string,
  to: string | null = null,
  status = 200,
): Response {
  return html(
    page,
    <Document page={page} title={title} isPrivate isBare>
      <div class="card narrow">
        <Notice title={title} icon={icon} tone={icon === 'check' ? 'good' : 'plain'}>
          <p>{text}</p>
          {to && (
            <p class="links">
              <a href={to} rel="noreferrer">
                {page.locale.texts.goBack} <bdi>({new URL(to).host})</bdi>
              </a>
            </p>
          )}
        </Notice>
      </div>
    </Document>,
    { status, isPrivate: true, isBare: { formLeadsTo: null } },
  )
}
