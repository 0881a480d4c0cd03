import type { AccountRow } from '../../people/sign-in/openid/accounts.ts'
import type { OpenId } from '../../people/sign-in/openid/settings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { openIdTexts } from '../../platform/i18n/console/openid.ts'
import { settingsTexts } from '../../platform/i18n/console/settings.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { isAtHome } from '../at-home.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'

type Props = {
  readonly request: MemberRequest
  readonly openId: OpenId
  readonly accounts: readonly AccountRow[]
  readonly trouble?: string | undefined
}

/** The account at the provider that somebody signs in with: linked here, and let go, as are those that a link let them link. */
export function AccountPanel({ request, openId: { name }, accounts, trouble }: Props) {
  const { page, session } = request
  const texts = textsOf(page.locale, openIdTexts)
  const title = fill(texts.title, { name })
  const hasOwn = accounts.some(({ memberId }) => memberId === session.memberId)
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      {trouble && (
        <p class="problem" role="alert">
          {trouble}
        </p>
      )}
      {accounts.length === 0 && <p class="soft">{texts.none}</p>}
      {accounts.map((account) => (
        <Account key={account.id} {...{ request, account }} />
      ))}
      {!hasOwn && isAtHome(page) && (
        <Form request={request} action="/console/settings/openid/link" class="inline">
          <button type="submit" class="button soft-button">
            {fill(texts.link, { name })}
          </button>
        </Form>
      )}
    </section>
  )
}

function Account({ request, account }: { readonly request: MemberRequest; readonly account: AccountRow }) {
  const { page, zone } = request
  const { id, createdAt, usedAt, memberId } = account
  const texts = textsOf(page.locale, openIdTexts)
  const moment = (at: number) => ownShortMomentText(page.locale, at, zone)
  return (
    <>
      <p class="soft">
        {fill(texts.linked, { time: moment(createdAt) })}{' '}
        {usedAt === null ? texts.neverUsed : fill(texts.lastUsed, { time: moment(usedAt) })}
        {memberId !== null && ` ${textsOf(page.locale, settingsTexts).byLink}`}
      </p>
      <Form request={request} action={`/console/settings/openid/${id}/remove`} class="inline">
        <button type="submit" class="soft-button">
          {texts.unlink}
        </button>
      </Form>
    </>
  )
}
