import { emailTextRoutes } from '../../delivery/email-texts/routes.ts'
import type { EmailText } from '../../delivery/email-texts/schema.ts'
import { PLACEHOLDERS } from '../../outbox/mail/own-texts/placeholders.ts'
import type { Params } from '../../pages/page.ts'
import { plain, seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { emailTextTexts } from '../../platform/i18n/console/email-texts.ts'
import { nameOfLanguage } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { isLanguage, LANGUAGES, languageOf } from '../../platform/i18n/tags.ts'
import { ask, need } from '../ask.ts'
import { orNull } from '../form.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { ReadOnly } from '../views/read-only.tsx'
import { TextChanges } from './email-text-changes.tsx'
import { pageShell } from './page-shell.tsx'

type Shown = { readonly kind: EmailText['kind']; readonly locale: EmailText['locale'] }

function shownIn({ page, form, member }: MemberRequest, { kind }: Params): Shown {
  const asked = form.get('locale') ?? page.url.searchParams.get('locale') ?? ''
  // An unknown kind is refused by the endpoint.
  return {
    kind: kind as Shown['kind'],
    locale: isLanguage(asked) ? asked : (languageOf(member.locale) ?? 'en'),
  }
}

const pathOf = ({ kind }: Shown) => `/console/page/emails/${kind}` as const

export async function showEmailText(request: MemberRequest, params: Params): Promise<Response> {
  const shown = shownIn(request, params)
  return textPage(request, await load(request, shown), NO_TROUBLE, 200)
}

function load(request: MemberRequest, { kind, locale }: Shown): Promise<EmailText> {
  return need(request, emailTextRoutes.getEmailText, { params: { kind }, query: { locale } })
}

function textPage(request: MemberRequest, text: EmailText, trouble: Trouble, status: number): Response {
  const { page, member } = request
  const texts = textsOf(page.locale, emailTextTexts)
  const path = pathOf(text)
  const sent = page.url.searchParams.get('sent')
  const mayChange = isRolePermitted(member.role, 'administer')
  return pageShell({
    request,
    here: '/console/page/emails',
    status,
    ...(sent !== null && { done: fill(texts.sent, { address: member.userEmail }) }),
    children: (
      <>
        <p>
          <a href="/console/page/emails">{texts.back}</a>
        </p>
        <h2>{texts[text.kind]}</h2>
        <nav class="tabs" aria-label={texts.language}>
          {LANGUAGES.map((language) => (
            <a
              key={language}
              href={`${path}?locale=${language}`}
              lang={language}
              aria-current={language === text.locale ? 'page' : undefined}
            >
              {nameOfLanguage(language)}
            </a>
          ))}
        </nav>
        <div class="main-and-preview">
          {mayChange ? (
            <div class="steps">
              <Form
                request={request}
                action={path}
                hidden={{ locale: text.locale }}
                trouble={trouble}
                class="steps"
              >
                <Fields request={request} text={text} trouble={trouble} />
                <FormEnd request={request} />
              </Form>
              {text.updated_at !== null && <Reset request={request} text={text} />}
            </div>
          ) : (
            <ReadOnly text={texts.onlyLook}>
              <Fields request={request} text={text} trouble={trouble} />
            </ReadOnly>
          )}
          {mayChange && <Preview request={request} text={text} />}
        </div>
      </>
    ),
  })
}

type Props = { readonly request: MemberRequest; readonly text: EmailText }

function Fields({ request, text, trouble }: Props & { readonly trouble: Trouble }) {
  const { locale } = request.page
  const texts = textsOf(locale, emailTextTexts)
  const field = fieldsFor({ locale, trouble }, text)
  const usual = (said: string | null) => (said === null ? texts.noUsual : fill(texts.usual, { text: said }))
  return (
    <>
      <section class="panel" aria-label={texts[text.kind]}>
        {field.text('subject', texts.subject, { hint: usual(text.default.subject), isOptional: true })}
        {field.text('intro', texts.intro, {
          hint: `${texts.introHint} ${usual(text.default.intro)}`,
          rows: 6,
          isOptional: true,
        })}
        {field.text('closing', texts.closing, {
          hint: `${texts.closingHint} ${usual(text.default.closing)}`,
          rows: 4,
          isOptional: true,
        })}
      </section>
      <fieldset class="panel">
        <legend>{texts.placeholders}</legend>
        <p class="hint">{texts.placeholdersHint}</p>
        <ul class="tags">
          {PLACEHOLDERS.map((name) => (
            <li key={name}>
              <button type="button" class="soft-button" data-insert={`{{${name}}}`}>
                {`{{${name}}}`}
              </button>
            </li>
          ))}
        </ul>
      </fieldset>
      <TextChanges texts={texts} text={text} />
    </>
  )
}

function Reset({ request, text }: Props) {
  const texts = textsOf(request.page.locale, emailTextTexts)
  return (
    <Form request={request} action={`${pathOf(text)}/reset`} hidden={{ locale: text.locale }}>
      <FormEnd request={request} text={texts.reset} tone="danger" />
    </Form>
  )
}

function Preview({ request, text }: Props) {
  const texts = textsOf(request.page.locale, emailTextTexts)
  return (
    <aside class="part" aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      <iframe
        class="preview"
        src={`${pathOf(text)}/preview?locale=${text.locale}`}
        title={texts.preview}
        loading="lazy"
        sandbox=""
      />
      <p class="hint">{texts.previewSaved}</p>
      {request.member.userEmail !== '' && (
        <Form request={request} action={`${pathOf(text)}/send`} hidden={{ locale: text.locale }} once>
          <FormEnd request={request} text={texts.send} tone="soft-button" />
        </Form>
      )}
    </aside>
  )
}

export async function saveEmailText(request: MemberRequest, params: Params): Promise<Response> {
  const { form, page, member } = request
  if (!isRolePermitted(member.role, 'administer')) return forbiddenPage(request)
  const { kind, locale } = shownIn(request, params)
  const body = {
    subject: orNull(form, 'subject'),
    intro: orNull(form, 'intro'),
    closing: orNull(form, 'closing'),
  }
  const asked = await ask(request, emailTextRoutes.putEmailText, {
    params: { kind },
    query: { locale },
    body,
  })
  if (asked.ok) return seeOther(page, `${pathOf({ kind, locale })}?locale=${locale}&done=1`)
  const saved = await load(request, { kind, locale })
  const trouble = troubleOf(page.locale, asked.refusal)
  return textPage(request, { ...saved, ...body }, trouble, formStatus(asked.refusal))
}

export async function resetEmailText(request: MemberRequest, params: Params): Promise<Response> {
  const { kind, locale } = shownIn(request, params)
  await need(request, emailTextRoutes.deleteEmailText, { params: { kind }, query: { locale } })
  return seeOther(request.page, `${pathOf({ kind, locale })}?locale=${locale}&done=1`)
}

export async function sendEmailText(request: MemberRequest, params: Params): Promise<Response> {
  const { kind, locale } = shownIn(request, params)
  const input = { params: { kind }, body: { locale, send_to_me: true } }
  const asked = await ask(request, emailTextRoutes.previewEmailText, input)
  if (asked.ok) return seeOther(request.page, `${pathOf({ kind, locale })}?locale=${locale}&sent=1`)
  const trouble = troubleOf(request.page.locale, asked.refusal)
  return textPage(request, await load(request, { kind, locale }), trouble, formStatus(asked.refusal))
}

/** The email itself, for the frame beside the form. */
export async function showEmailPreview(request: MemberRequest, params: Params): Promise<Response> {
  const { kind, locale } = shownIn(request, params)
  const { html } = await need(request, emailTextRoutes.previewEmailText, {
    params: { kind },
    body: { locale },
  })
  return plain(request.page, 'text/html', html, { isPrivate: true, showsEmail: true })
}
