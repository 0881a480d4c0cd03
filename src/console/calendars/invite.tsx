import { calendarRoutes } from '../../calendars/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ask } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { calendarsPage } from './overview.tsx'

type Props = { readonly request: MemberRequest; readonly memberId: string }

/** Emails another member the link to this screen: it does not expire, and they enter their own password. */
export function InviteForm({ request, memberId }: Props) {
  const texts = textsOf(request.page.locale, calendarsTexts)
  return (
    <Form
      request={request}
      action="/console/calendars/connect/invite"
      hidden={{ member: memberId }}
      class="inline"
      once
    >
      <p class="soft">{texts.inviteLead}</p>
      <button type="submit" class="soft-button">
        <Sign name="person" />
        {texts.invite}
      </button>
    </Form>
  )
}

export async function inviteFromConsole(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const asked = await ask(request, calendarRoutes.inviteToConnect, {
    body: { member_id: form.get('member') ?? '' },
  })
  if (asked.ok) return seeOther(page, '/console/calendars?done=invited')
  return calendarsPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
