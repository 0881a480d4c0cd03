import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { Refused } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { shell } from '../views/shell.tsx'
import { loadEventType } from './load.ts'

export async function confirmDelete(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const texts = textsOf(request.page.locale, eventTypeTexts)
  const { title } = await loadEventType(request, id)
  return shell({
    request,
    title: fill(texts.deleteTitle, { title }),
    back: { to: `/console/event-types/${id}`, text: title },
    children: (
      <Form request={request} action={`/console/event-types/${id}/delete`} class="panel steps">
        <p>{texts.deleteText}</p>
        <div class="form-end">
          <button type="submit" class="button danger">
            {texts.deleteIt}
          </button>
          <a class="button soft-button" href={`/console/event-types/${id}`}>
            {texts.keep}
          </a>
        </div>
      </Form>
    ),
  })
}

export async function deleteFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const asked = await ask(request, eventTypeRoutes.deleteEventType, { params: { id } })
  if (!asked.ok) throw new Refused(asked.refusal)
  return seeOther(request.page, '/console/event-types?done=deleted')
}
