import type { ComponentChildren } from 'preact'
import type { ConsentQuestion } from '../../calendars/consents/review-consent.ts'
import type { OAuthProvider } from '../../calendars/oauth/oauth-config.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { Page } from '../page.ts'
import { Document } from './document.tsx'
import { HiddenFields } from './hidden-fields.tsx'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  readonly page: Page
  readonly provider: OAuthProvider
  readonly providerName: string
  readonly question: ConsentQuestion
}

/** The organization's name is alone beside its label, never inside a sentence of ours: anybody may have written it. */
export function ConsentForm({ page, provider, providerName, question }: Props) {
  const { texts } = page.locale
  const { organizationName, accountEmail, isTest, redirectUrl, grant } = question
  const title = fill(texts.connectAccount, { provider: providerName })
  const granted =
    provider === 'video_a'
      ? [texts.makesMeetings, texts.readsProfile]
      : [texts.readsCalendar, texts.writesCalendar]
  return (
    <Document page={page} title={title} isPrivate isBare>
      <div class="card narrow">
        <h1>{title}</h1>
        <dl class="facts">
          <Said icon="person" label={texts.organization}>
            {organizationName}
          </Said>
          <Said icon={provider === 'video_a' ? 'video' : 'calendar'} label={texts.account}>
            {accountEmail}
          </Said>
        </dl>
        <div>
          <p>{texts.organizationMay}</p>
          <ul class="granted">
            {granted.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
        {isTest && <p class="soft">{texts.forTrying}</p>}
        <p>{texts.connectOnlyIf}</p>
        <div class="links">
          <Answer page={page} answer="connect" grant={grant} look="button" text={texts.connect} />
          <Answer
            page={page}
            answer="decline"
            grant={grant}
            look="button soft-button"
            text={texts.doNotConnect}
          />
        </div>
        {redirectUrl && <p class="soft">{fill(texts.leadsBackTo, { host: new URL(redirectUrl).host })}</p>}
      </div>
    </Document>
  )
}

type SaidProps = {
  readonly icon: IconName
  readonly label: string
  readonly children: ComponentChildren
}

function Said({ icon, label, children }: SaidProps) {
  return (
    <div>
      <dt>
        <Icon name={icon} />
        <span class="unseen">{label}</span>
      </dt>
      <dd>
        <span class="soft" aria-hidden="true">
          {label}
        </span>
        <br />
        <strong>
          <bdi>{children}</bdi>
        </strong>
      </dd>
    </div>
  )
}

type AnswerProps = {
  readonly page: Page
  readonly answer: 'connect' | 'decline'
  readonly grant: string
  readonly look: string
  readonly text: string
}

function Answer({ page, answer, grant, look, text }: AnswerProps) {
  return (
    <form method="post" action={page.url.pathname}>
      <HiddenFields
        fields={[
          ['answer', answer],
          ['grant', grant],
        ]}
      />
      <button type="submit" class={look}>
        {text}
      </button>
    </form>
  )
}
