import { urlAt } from '../../env.ts'
import type { Page } from '../../pages/page.ts'
import { openIdOf } from '../../people/sign-in/openid/settings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { openIdTexts } from '../../platform/i18n/console/openid.ts'
import { fill } from '../../platform/i18n/plural.ts'

type Props = { readonly page: Page; readonly next: string }

/** Leads to the provider, by way of the one address that it sends people back to. */
export function OpenIdButton({ page, next }: Props) {
  const { env } = page.ctx
  const openId = openIdOf(env)
  if (!openId) return null
  const query = next === '/console' ? '' : `?next=${encodeURIComponent(next)}`
  return (
    <a class="button soft-button wide" href={urlAt(env, `/console/sign-in/openid${query}`)} rel="nofollow">
      {fill(textsOf(page.locale, openIdTexts).goOnWith, { name: openId.name })}
    </a>
  )
}
