import type { CalendarConnection } from '../../calendars/schema.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { MemberRequest } from '../request.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { isAdmin } from './whose.ts'

type Props = {
  readonly request: MemberRequest
  readonly connection: Pick<
    CalendarConnection,
    'id' | 'name' | 'provider' | 'resource_id' | 'checks_busy' | 'blocks' | 'everybody' | 'receives_bookings'
  >
}

/** What a calendar is used for. */
export function UseForm({ request, connection }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, calendarsTexts)
  const { id, name, provider, resource_id: resourceId } = connection
  const field = fieldsFor({ locale }, { ...connection, closes: connection.blocks === 'all_events' })
  return (
    <details class="folded">
      <summary>
        {texts.settings}
        <span class="unseen">: {name}</span>
      </summary>
      <Form request={request} action={`/console/calendars/${id}/use`} class="steps">
        {field.check('checks_busy', texts.checksBusyField, {
          id: `checks-${id}`,
          hint: texts.checksBusyHint,
        })}
        {field.check('closes', texts.closes, { id: `closes-${id}`, hint: texts.closesHint })}
        {isAdmin(request) &&
          resourceId === null &&
          field.check('everybody', texts.everybody, { id: `everybody-${id}`, hint: texts.everybodyHint })}
        {provider !== 'ics' &&
          field.check('receives_bookings', texts.receivesField, {
            id: `receives-${id}`,
            hint: texts.receivesHint,
          })}
        <FormEnd request={request} />
      </Form>
    </details>
  )
}
