import { dropSession, withCookie } from '../../pages/session-cookie.ts'
import { endSession } from '../../people/sign-in/sessions.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import type { SignedInRequest } from '../request.ts'
import { entryPage } from '../views/entry-page.tsx'

export async function signOut({ page, session, memberships }: SignedInRequest): Promise<Response> {
  await endSession(page.ctx.env, session, session.id, memberships, page.ctx)
  const texts = textsOf(page.locale, signInTexts)
  return entryPage({
    page: withCookie(page, dropSession()),
    title: texts.signedOut,
    lead: texts.signedOutText,
    children: (
      <a class="button" href="/console/sign-in">
        {texts.again}
      </a>
    ),
  })
}
