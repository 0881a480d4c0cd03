import { calendarRoutes } from '../../calendars/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import { forbiddenPage, nothingHere } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { memberIn } from './choose.tsx'
import { isServerName, SERVERS, type ServerName } from './providers.ts'
import { mayChange } from './whose.ts'

/** What is known of the account that is connected again, or what was typed. */
function typed({ form, page }: MemberRequest, name: string): string {
  return form.get(name) ?? page.url.searchParams.get(name) ?? ''
}

/** A server whose accounts have a name and a password. */
export async function showServer(request: MemberRequest, { way = '' }: Params): Promise<Response> {
  if (!isServerName(way)) return nothingHere(request)
  return serverPage(request, way, NO_TROUBLE, 200)
}

function serverPage(request: MemberRequest, way: ServerName, trouble: Trouble, status: number): Response {
  if (!mayChange(request, memberIn(request))) return forbiddenPage(request)
  const { locale } = request.page
  const texts = textsOf(locale, calendarsTexts)
  const hints: Partial<Record<ServerName, string>> = {
    icloud: texts.passwordIcloud,
    fastmail: texts.passwordFastmail,
    yahoo: texts.passwordYahoo,
  }
  const known = { server: typed(request, 'server'), username: typed(request, 'username'), password: '' }
  const field = fieldsFor({ locale, trouble }, known)
  const needsServer = way === 'nextcloud' || way === 'caldav'
  return shell({
    request,
    title: fill(texts.connectTitle, { provider: texts[way] }),
    back: { to: '/console/calendars/connect', text: texts.connect },
    status,
    children: (
      <Form
        request={request}
        action={`/console/calendars/connect/server/${way}`}
        hidden={{ member: memberIn(request) }}
        trouble={trouble}
        class="panel steps"
        once
      >
        {needsServer &&
          field.text('server', texts.server, { type: 'url', hint: texts.serverHint, inputmode: 'url' })}
        {field.text('username', texts.username, {
          hint: texts.usernameHint,
          inputmode: 'email',
          autocomplete: 'off',
        })}
        {field.text('password', texts.password, {
          type: 'password',
          hint: hints[way] ?? texts.passwordHint,
          autocomplete: 'off',
        })}
        <FormEnd request={request} text={texts.connectNow} />
      </Form>
    ),
  })
}

export async function connectServer(request: MemberRequest, { way = '' }: Params): Promise<Response> {
  if (!isServerName(way)) return nothingHere(request)
  const { form, page } = request
  const server = form.get('server')
  const asked = await ask(request, calendarRoutes.connectCaldav, {
    body: {
      preset: SERVERS[way],
      username: form.get('username') ?? '',
      password: form.get('password') ?? '',
      member_id: memberIn(request),
      ...(server !== undefined && { server_url: server }),
    },
  })
  if (asked.ok) return seeOther(page, '/console/calendars?done=connected')
  const trouble = troubleOf(page.locale, asked.refusal, { fields: { server_url: 'server' } })
  return serverPage(request, way, trouble, formStatus(asked.refusal))
}
