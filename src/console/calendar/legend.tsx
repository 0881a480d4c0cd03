import { calendarViewTexts } from '../../platform/i18n/console/calendar-view.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { MemberRequest } from '../request.ts'

type Props = {
  readonly request: MemberRequest
  readonly types: readonly { readonly id: string; readonly title: string; readonly color: string }[]
}

/** What colors and patterns mean. */
export function Legend({ request, types }: Props) {
  const texts = textsOf(request.page.locale, calendarViewTexts)
  return (
    <ul class="p-legend" aria-label={texts.legend}>
      {types.map(({ id, title, color }) => (
        <li key={id} data-type={id}>
          <i class={`swatch ${color}`} />
          <bdi>{title}</bdi>
        </li>
      ))}
      {(['request', 'off', 'busy', 'closed'] as const).map((kind) => (
        <li key={kind}>
          <i class={`swatch is-${kind}`} />
          {texts[kind]}
        </li>
      ))}
    </ul>
  )
}
