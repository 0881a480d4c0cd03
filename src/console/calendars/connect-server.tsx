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
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { memberIn } from './choose.tsx'
import { connectTrouble } from './connect-trouble.ts'
import { isServerName, SERVERS, type ServerName } from './providers.ts'
import { isAdmin } from './whose.ts'

/** What is known of the account that is connected again, or what was typed. */
function typed({ form, page }: MemberRequest, name: string): string {
  return form.get(name) ?? page.url.searchParams.get(name) ?? ''
}

/** A server whose accounts have a name and a password. */
export async function showServer(visit: MemberRequest, { way = '' }: Params): Promise<Response> {
  if (!isServerName(way)) return nothingHere(visit)
  return serverPage(visit, way, NO_TROUBLE, 200)
}

function serverPage(visit: MemberRequest, way: ServerName, trouble: Trouble, status: number): Response {
  if (!isAdmin(visit)) return forbiddenPage(visit)
  const { locale } = visit.page
  const texts = textsOf(locale, calendarsTexts)
  const hints: Partial<Record<ServerName, string>> = {
    icloud: texts.passwordIcloud,
    fastmail: texts.passwordFastmail,
  }
  const known = { server: typed(visit, 'server'), username: typed(visit, 'username'), password: '' }
  const field = fieldsFor({ locale, trouble }, known)
  const needsServer = way === 'nextcloud' || way === 'caldav'
  return shell({
    visit,
    title: fill(texts.connectTitle, { provider: texts[way] }),
    back: { to: '/console/calendars/connect', text: texts.connect },
    status,
    children: (
      <Form
        visit={visit}
        action={`/console/calendars/connect/server/${way}`}
        hidden={{ member: memberIn(visit) }}
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
        <FormEnd visit={visit} text={texts.connectNow} />
      </Form>
    ),
  })
}

export async function connectServer(visit: MemberRequest, { way = '' }: Params): Promise<Response> {
  if (!isServerName(way)) return nothingHere(visit)
  const { form, page } = visit
  const server = form.get('server')
  const asked = await ask(visit, calendarRoutes, 'connectCaldav', {
    body: {
      preset: SERVERS[way],
      username: form.get('username') ?? '',
      password: form.get('password') ?? '',
      member_id: memberIn(visit),
      ...(server !== undefined && { server_url: server }),
    },
  })
  if (asked.ok) return seeOther(page, '/console/calendars?done=connected')
  const trouble = connectTrouble(page.locale, asked.refusal, { server_url: 'server' })
  return serverPage(visit, way, trouble, formStatus(asked.refusal))
}
