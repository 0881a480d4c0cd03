import { urlAt } from '../../env.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { pageTexts } from '../../platform/i18n/console/page.ts'
import { nameOfLanguage } from '../../platform/i18n/locale.ts'
import { LANGUAGES } from '../../platform/i18n/tags.ts'
import type { MemberRequest } from '../request.ts'
import { CopyLine } from '../views/copy-line.tsx'
import { loadLivePages } from './live-pages.ts'
import { pageShell } from './page-shell.tsx'

/** Where people book, and in which language. */
export async function showAddress(request: MemberRequest): Promise<Response> {
  const { page, member } = request
  const { locale, ctx } = page
  const texts = textsOf(locale, pageTexts)
  const own = urlAt(ctx.env, `/book/${member.slug}`)
  const eventTypes = await loadLivePages(request)
  return pageShell({
    request,
    here: '/console/page/address',
    children: (
      <div class="steps part">
        <section class="panel">
          <h2>{texts.yourAddress}</h2>
          <CopyLine locale={locale} text={own} />
          {isRolePermitted(member.role, 'administer') && (
            <p class="hint">
              {texts.name} <a href="/console/settings/organization">{texts.toSettings}</a>
            </p>
          )}
        </section>
        {eventTypes.length > 0 && (
          <section class="panel">
            <h2>{texts.ofEventTypes}</h2>
            {eventTypes.map(({ id, title, slug }) => (
              <div key={id}>
                <p>
                  <bdi>{title}</bdi>
                </p>
                <CopyLine locale={locale} text={`${own}/${slug}`} />
              </div>
            ))}
          </section>
        )}
        <section class="panel">
          <header>
            <h2>{texts.inLanguage}</h2>
            <p class="soft">
              {texts.inLanguageText} {texts.emailLanguage}
            </p>
          </header>
          {LANGUAGES.map((language) => (
            <div key={language}>
              <span lang={language}>{nameOfLanguage(language)}</span>
              <CopyLine locale={locale} text={`${own}?lang=${language}`} />
            </div>
          ))}
        </section>
      </div>
    ),
  })
}
