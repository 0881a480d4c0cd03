import { bookingIdsIn } from '../../booking/bookings/list/agenda.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { Refused } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, sharedEnv } from '../ask.ts'
import { loadNamed, Named } from '../hours/affected.tsx'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { shell } from '../views/shell.tsx'
import { loadEventType } from './load.ts'

export async function confirmDelete(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const texts = textsOf(request.page.locale, eventTypeTexts)
  const upcoming = { start: request.now, end: LAST_INSTANT }
  const [{ title }, ids] = await Promise.all([
    loadEventType(request, id),
    bookingIdsIn(sharedEnv(request), request, [{ eventTypeId: id }], [upcoming]),
  ])
  const bookings = await loadNamed(request, ids)
  return shell({
    request,
    title: fill(texts.deleteTitle, { title }),
    back: { to: `/console/event-types/${id}`, text: title },
    children: (
      <Form request={request} action={`/console/event-types/${id}/delete`} class="panel steps">
        <p>{texts.deleteText}</p>
        {ids.length > 0 && (
          <Named
            request={request}
            label={texts.upcomingOfDeleted}
            text={pluralText(request.page.locale, texts.deleteBooked, ids.length)}
            bookings={bookings}
          />
        )}
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
