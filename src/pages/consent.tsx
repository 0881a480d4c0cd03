import { ACCOUNT_PROVIDERS } from '../calendars/accounts/providers.ts'
import { confirmConsent } from '../calendars/consents/confirm-consent.ts'
import type { ConsentEnd } from '../calendars/consents/consent-end.ts'
import { declineConsent } from '../calendars/consents/decline-consent.ts'
import { type Reviewed, reviewConsent } from '../calendars/consents/review-consent.ts'
import { ProviderAnswer } from '../calendars/consents/schema.ts'
import type { OAuthProvider } from '../calendars/oauth/oauth-config.ts'
import { urlAt } from '../env.ts'
import { Refused } from '../platform/http/errors.ts'
import { dropConnecting, wentFromConsole } from './connecting-cookie.ts'
import { consentRefused, showEnd } from './end-consent.tsx'
import type { Handler, Page } from './page.ts'
import { readForm } from './read-form.ts'
import { html } from './respond.ts'
import { withCookie } from './session-cookie.ts'
import { ConsentForm } from './views/consent-form.tsx'

type ConsentHandler = (provider: OAuthProvider) => Handler

/** Back from the provider: shows the owner of the account for whom it is, and asks whether they want that. */
export const askConsent = orRefused(async (page, asked) => {
  const given = ProviderAnswer.parse(Object.fromEntries(page.url.searchParams))
  const reviewed = await reviewConsent(page.ctx, asked, given)
  if (await wentFromConsole(page)) return backToConsole(page, asked, reviewed)
  if ('end' in reviewed) return showEnd(page, asked, reviewed.end)
  const { question } = reviewed
  return html(
    page,
    <ConsentForm
      page={page}
      provider={asked}
      providerName={ACCOUNT_PROVIDERS[asked].name}
      question={question}
    />,
    { isPrivate: true, isBare: { formLeadsTo: question.redirectUrl } },
  )
})

/**
 * They began it in the console, in this browser, pressed the button there and were asked by the provider: nobody can have sent
 * them, so they are not asked once more.
 */
async function backToConsole(page: Page, asked: OAuthProvider, reviewed: Reviewed): Promise<Response> {
  const end =
    'end' in reviewed ? reviewed.end : await confirmConsent(page.ctx, asked, reviewed.question.grant)
  return showEnd(
    withCookie(page, dropConnecting()),
    asked,
    { ...end, to: consoleAfter(page, asked, end) },
    true,
  )
}

function consoleAfter({ ctx }: Page, asked: OAuthProvider, end: ConsentEnd): string {
  const url = new URL(urlAt(ctx.env, '/console/calendars'))
  const isMeeting = asked === 'video_a'
  if (end.kind === 'connected') url.searchParams.set(isMeeting ? 'conferencing' : 'calendar', 'connected')
  else if (end.kind === 'administered')
    url.searchParams.set('admin_consent', end.isGranted ? 'granted' : 'refused')
  return url.href
}

export const answerConsent = orRefused(async (page, asked) => {
  const form = await readForm(page)
  const answer = form.get('answer') === 'connect' ? confirmConsent : declineConsent
  return showEnd(page, asked, await answer(page.ctx, asked, form.get('grant') ?? ''))
})

/** Without a valid state or grant nobody is redirected. */
function orRefused(handle: (page: Page, asked: OAuthProvider) => Promise<Response>): ConsentHandler {
  return (provider) => async (page) => {
    try {
      return await handle(page, provider)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return consentRefused(page, error.refusal)
    }
  }
}
