import { emailTextRoutes } from '../../delivery/email-texts/routes.ts'
import { EMAIL_TEXT_KINDS } from '../../platform/db/schema/email-texts.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { emailTextTexts } from '../../platform/i18n/console/email-texts.ts'
import { nameOfLanguage } from '../../platform/i18n/locale.ts'
import { LANGUAGES } from '../../platform/i18n/tags.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { pageShell } from './page-shell.tsx'

/** The emails to invitees, each in the languages in which it can be written. */
export async function showEmailTexts(request: MemberRequest): Promise<Response> {
  const texts = textsOf(request.page.locale, emailTextTexts)
  const { data } = await need(request, emailTextRoutes.listEmailTexts)
  const written = new Set(data.map(({ kind, locale }) => `${kind}/${locale}`))
  return pageShell({
    request,
    here: '/console/page/emails',
    children: (
      <div class="steps part">
        <p class="soft">{texts.lead}</p>
        {EMAIL_TEXT_KINDS.map((kind) => (
          <section class="panel" key={kind} aria-labelledby={kind}>
            <h2 id={kind}>{texts[kind]}</h2>
            <p class="hint">{texts[`${kind}Text`]}</p>
            <ul class="tags">
              {LANGUAGES.map((language) => (
                <li key={language}>
                  <a href={`/console/page/emails/${kind}?locale=${language}`}>
                    <span lang={language}>{nameOfLanguage(language)}</span>
                    {written.has(`${kind}/${language}`) && ` (${texts.own})`}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    ),
  })
}
