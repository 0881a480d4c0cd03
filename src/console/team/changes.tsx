import { formatInstant } from '../../platform/http/instants.ts'
import { activityTexts } from '../../platform/i18n/console/activity.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { Locale } from '../../platform/i18n/locale.ts'

type Props = { readonly locale: Locale; readonly changes: Readonly<Record<string, unknown>> }

/** What was set, and of a pair what it was before. Names are those of the API. */
export function Changes({ locale, changes }: Props) {
  const { empty } = textsOf(locale, activityTexts)
  const shown = (name: string, value: unknown) => {
    if (value === null || value === '') return empty
    if (typeof value === 'number' && name.endsWith('_at')) return formatInstant(value)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return (
    <dl class="pairs">
      {Object.entries(changes).map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd dir="auto">
            {Array.isArray(value) && value.length === 2 ? (
              <>
                <s>{shown(name, value[0])}</s> → {shown(name, value[1])}
              </>
            ) : (
              shown(name, value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
