import type { Unhosted } from '../../booking/hosts/find-unhosted.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import type { MemberRequest } from '../request.ts'

type Props = { readonly request: MemberRequest; readonly eventTypes: readonly Unhosted[] }

/** Event types that stay open during the time off, with the way to give them a host. */
export function UnhostedNote({ request, eventTypes }: Props) {
  if (eventTypes.length === 0) return null
  const texts = textsOf(request.page.locale, hoursTexts)
  return (
    <div class="band test-band">
      <p>{texts.unhosted}</p>
      <ul class="linked">
        {eventTypes.map(({ id, title }) => (
          <li key={id}>
            <a href={`/console/event-types/${id}/hosts`}>
              <bdi>{title}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
