import { activityTexts } from '../../platform/i18n/console/activity.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { Locale } from '../../platform/i18n/locale.ts'

type Props = { readonly locale: Locale; readonly changes: Readonly<Record<string, unknown>> }

/** What was set, and of a pair what it was before. Names are those of the API. */
export function Changes({ locale, changes }: Props) {
  const { empty } = textsOf(locale, activityTexts)
  const told = (value: unknown) =>
    value === null || value === '' ? empty : typeof value === 'string' ? value : JSON.stringify(value)
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
                <s>{told(value[0])}</s> → {told(value[1])}
              </>
            ) : (
              told(value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
