import { ACCOUNT_PROVIDERS } from '../calendars/accounts/providers.ts'
import type { ConsentEnd } from '../calendars/consents/consent-end.ts'
import { needsAdministrator } from '../calendars/consents/refusals.ts'
import type { OAuthProvider } from '../calendars/oauth/oauth-config.ts'
import type { Refusal } from '../platform/http/errors.ts'
import { fill } from '../platform/i18n/plural.ts'
import { ERRORS } from '../platform/reasons/error-codes.ts'
import { sentenceOf } from '../platform/reasons/reason.ts'
import type { Page } from './page.ts'
import { html, seeOther } from './respond.ts'
import { Document } from './views/document.tsx'
import { Notice } from './views/notice.tsx'

/**
 * After a no, people stay here until they choose to continue: they may not know who sent them. Other refusals are shown on the
 * page they continue to, unless they are shown here.
 */
export function showEnd(
  page: Page,
  provider: OAuthProvider,
  end: ConsentEnd,
  tellsRefusals = false,
): Response {
  const stays = staysHere(end) || (tellsRefusals && end.kind === 'refused')
  if (!stays && end.to !== null) return seeOther(page, end.to)
  const { texts } = page.locale
  const [name, product] = [ACCOUNT_PROVIDERS[provider].name, 'Holdfast']
  switch (end.kind) {
    case 'connected':
      return ending(page, 'check', texts.accountConnected, texts.closePage)
    case 'declined': {
      const rest = end.isGivenBack ? texts.permissionGivenBack : texts.permissionStays
      return ending(page, 'cross', texts.nothingConnected, fill(rest, { provider: name, product }), {
        to: end.to,
      })
    }
    case 'administered':
      return end.isGranted
        ? ending(page, 'check', texts.organizationAgreed, texts.organizationAgreedText)
        : ending(page, 'cross', texts.organizationRefused, texts.organizationRefusedText)
    case 'refused':
      return end.why === undefined
        ? consentRefused(page, end.refusal.refusal, end.to)
        : providerRefused(page, end, { provider: name, product })
  }
}

/** People who declined, or need an administrator, read so here first. */
function staysHere(end: ConsentEnd): boolean {
  return end.kind === 'declined' || (end.kind === 'refused' && needsAdministrator(end.why ?? 'unknown'))
}

function providerRefused(
  page: Page,
  { why = 'unknown', to, administratorUrl, refusal }: ConsentEnd & { readonly kind: 'refused' },
  names: { readonly provider: string; readonly product: string },
): Response {
  const { texts } = page.locale
  const told: Readonly<Record<typeof why, string>> = {
    declined: texts.notPermitted,
    cancelled:
      administratorUrl === undefined
        ? texts.notPermitted
        : `${texts.notPermitted} ${texts.maybeAdministrator}`,
    administrator: texts.administratorText,
    'administrator-asked': texts.administratorAsked,
    blocked: texts.signInBlocked,
    'sign-in': texts.signInAgain,
    'other-organization': texts.otherOrganization,
    busy: texts.providerBusy,
    unknown: sentenceOf(refusal.refusal),
  }
  const title = needsAdministrator(why) ? texts.administratorTitle : texts.nothingConnected
  return ending(page, 'cross', title, fill(told[why], names), {
    to,
    administratorUrl,
    status: ERRORS[refusal.refusal.code].status,
  })
}

export function consentRefused(page: Page, refusal: Refusal, to: string | null = null): Response {
  const { nothingConnected } = page.locale.texts
  return ending(page, 'cross', nothingConnected, sentenceOf(refusal), {
    to,
    status: ERRORS[refusal.code].status,
  })
}

type Ending = {
  /** Where people may go on to. */
  readonly to?: string | null
  readonly administratorUrl?: string | undefined
  readonly status?: number
}

function ending(
  page: Page,
  icon: 'check' | 'cross',
  title: string,
  text: string,
  { to = null, administratorUrl, status = 200 }: Ending = {},
): Response {
  const { texts } = page.locale
  return html(
    page,
    <Document page={page} title={title} isPrivate isBare>
      <div class="card narrow">
        <Notice title={title} icon={icon} tone={icon === 'check' ? 'good' : 'plain'}>
          <p>{text}</p>
          {administratorUrl && (
            <>
              <p class="soft">{texts.agreeForAllHint}</p>
              <p class="links">
                <a href={administratorUrl} rel="noreferrer">
                  {texts.agreeForAll}
                </a>
              </p>
            </>
          )}
          {to && (
            <p class="links">
              <a href={to} rel="noreferrer">
                {texts.goBack} <bdi>({new URL(to).host})</bdi>
              </a>
            </p>
          )}
        </Notice>
      </div>
    </Document>,
    { status, isPrivate: true, isBare: { formLeadsTo: null } },
  )
}
