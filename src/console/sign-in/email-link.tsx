import type { Page } from '../../pages/page.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { lookAtLink, redeemLink } from '../../people/sign-in/redeem-code.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { nextPath } from '../next-path.ts'
import type { AnonymousRequest } from '../request.ts'
import { entryPage } from '../views/entry-page.tsx'
import { brakeGuess } from './code.tsx'
import { comeIn } from './come-in.ts'

/** The link in an email. Opening it does nothing: mail scanners open links too. */
export async function showEmail({ page }: AnonymousRequest): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  const code = await lookAtLink(page.ctx.env, token, realNow())
  if (!code) return (await brakeGuess(page)) ?? overPage(page)
  const texts = textsOf(page.locale, signInTexts)
  return entryPage({
    page,
    title: texts.linkTitle,
    lead: fill(texts.linkFor, { email: code.email }),
    children: (
      <form method="post" action="/console/sign-in/link" data-once={page.locale.texts.sending}>
        <HiddenFields fields={[['token', token]]} />
        <button type="submit" class="button wide">
          {texts.signIn}
        </button>
      </form>
    ),
  })
}

export async function followEmail({ page, form }: AnonymousRequest): Promise<Response> {
  const code = await redeemLink(page.ctx.env, form.get('token') ?? '', realNow())
  const signedIn = code && (await comeIn(page, { email: code.email, memberId: null }, nextPath(code.path)))
  return signedIn || ((await brakeGuess(page)) ?? overPage(page))
}

export function overPage(page: Page, isFromEmail = true): Response {
  const texts = textsOf(page.locale, signInTexts)
  return entryPage({
    page,
    title: texts.linkOver,
    lead: isFromEmail ? texts.linkOverText : texts.linkOverAsk,
    status: 410,
    children: (
      <a class="button" href="/console/sign-in">
        {texts.title}
      </a>
    ),
  })
}
