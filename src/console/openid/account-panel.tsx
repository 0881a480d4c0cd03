import { textsOf } from '../../i18n/console/catalogue.ts'
import { openIdTexts } from '../../i18n/console/openid.ts'
import { shortMomentText } from '../../i18n/format.ts'
import { fill } from '../../i18n/plural.ts'
import type { AccountRow } from '../../resources/sign-in/openid/accounts.ts'
import type { OpenId } from '../../resources/sign-in/openid/settings.ts'
import { isAtHome } from '../at-home.ts'
import { Form } from '../views/form.tsx'
import type { Visit } from '../visit.ts'

type Props = {
  readonly visit: Visit
  readonly openId: OpenId
  readonly account: AccountRow | null
  readonly trouble?: string | undefined
}

/** The account at the provider that somebody signs in with: linked here, and let go. */
export function AccountPanel({ visit, openId: { name }, account, trouble }: Props) {
  const { page, zone } = visit
  const texts = textsOf(page.locale, openIdTexts)
  const title = fill(texts.title, { name })
  const moment = (at: number) => shortMomentText(page.locale, at, zone)
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      {trouble && (
        <p class="problem" role="alert">
          {trouble}
        </p>
      )}
      <p class="soft">
        {account === null
          ? texts.none
          : `${fill(texts.linked, { time: moment(account.createdAt) })} ${
              account.usedAt === null
                ? texts.neverUsed
                : fill(texts.lastUsed, { time: moment(account.usedAt) })
            }`}
      </p>
      {account !== null ? (
        <Form visit={visit} action={`/console/settings/openid/${account.id}/remove`} class="inline">
          <button type="submit" class="soft-button">
            {texts.unlink}
          </button>
        </Form>
      ) : (
        isAtHome(page) && (
          <Form visit={visit} action="/console/settings/openid/link" class="inline">
            <button type="submit" class="button soft-button">
              {fill(texts.link, { name })}
            </button>
          </Form>
        )
      )}
    </section>
  )
}
