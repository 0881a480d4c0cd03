import { calendarRoutes } from '../../calendars/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import { isChecked } from '../form.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { memberIn } from './choose.tsx'
import { isAdmin, mayChange } from './whose.ts'

/** A calendar that is only read, by its address. */
export async function showFeedForm(request: MemberRequest): Promise<Response> {
  return feedPage(request, NO_TROUBLE, 200)
}

/** A feed is a member's or of a room. */
function whoseIn(request: MemberRequest) {
  const { form, page } = request
  const resource = form.get('resource') || page.url.searchParams.get('resource')
  if (resource) return { hidden: { resource }, body: { resource_id: resource } }
  const member = memberIn(request)
  return { hidden: { member }, body: { member_id: member } }
}

function feedPage(request: MemberRequest, trouble: Trouble, status: number): Response {
  const { hidden } = whoseIn(request)
  const mayHave = 'resource' in hidden ? isAdmin(request) : mayChange(request, hidden.member)
  if (!mayHave) return forbiddenPage(request)
  const { form, page } = request
  const { locale } = page
  const texts = textsOf(locale, calendarsTexts)
  const typed = { url: form.get('url') ?? '', name: form.get('name') ?? '', closes: '', everybody: '' }
  const field = fieldsFor({ locale, trouble }, typed)
  return shell({
    request,
    title: fill(texts.connectTitle, { provider: texts.feedIn }),
    lead: texts.feedInText,
    back: { to: '/console/calendars/connect', text: texts.connect },
    status,
    children: (
      <Form
        request={request}
        action="/console/calendars/connect/feed"
        hidden={hidden}
        trouble={trouble}
        class="panel steps"
        once
      >
        {field.text('url', texts.feedUrl, {
          type: 'url',
          hint: texts.feedUrlHint,
          inputmode: 'url',
          isSecret: true,
        })}
        {field.text('name', texts.feedName, { hint: texts.feedNameHint, isOptional: true })}
        {field.check('closes', texts.closes, { hint: texts.closesHint, isChecked: form.has('closes') })}
        {isAdmin(request) &&
          !('resource' in hidden) &&
          field.check('everybody', texts.holidays, {
            hint: texts.holidaysHint,
            isChecked: form.has('everybody'),
          })}
        <FormEnd request={request} text={texts.connectNow} />
      </Form>
    ),
  })
}

export async function connectFeed(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const name = form.get('name')
  const asked = await ask(request, calendarRoutes.connectIcs, {
    body: {
      url: form.get('url') ?? '',
      ...whoseIn(request).body,
      ...(name && { name }),
      ...(isChecked(form, 'closes') && { blocks: 'all_events' }),
      ...(isChecked(form, 'everybody') && { blocks: 'all_events', everybody: true }),
    },
  })
  if (asked.ok) return seeOther(page, '/console/calendars?done=connected')
  return feedPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
