import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { importTexts } from '../../platform/i18n/console/imports.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'

const MOST = 100

type Props = { readonly request: MemberRequest; readonly items: ImportJob['left_out'] }

/** What was left out, below each reason. */
export function LeftOut({ request, items }: Props) {
  const texts = textsOf(request.page.locale, importTexts)
  const byWhy = Map.groupBy(items, ({ why }) => withOwnTimes(request, why))
  return (
    <section class="panel" aria-labelledby="left-out">
      <h2 id="left-out">
        {texts.leftOut} ({items.length})
      </h2>
      <p class="soft">{items.length === 0 ? texts.nothingLeftOut : texts.leftOutLead}</p>
      {[...byWhy].map(([why, those]) => (
        <details key={why} class="folded" open={those.length <= 5}>
          <summary>
            {why} ({those.length})
          </summary>
          <Some request={request} names={those.map(({ what }) => what)} />
        </details>
      ))}
    </section>
  )
}

type SomeProps = { readonly request: MemberRequest; readonly names: readonly string[] }

/** The first of them, and how many more there are. */
export function Some({ request, names }: SomeProps) {
  const { more } = textsOf(request.page.locale, importTexts)
  return (
    <ul>
      {names.slice(0, MOST).map((name, at) => (
        <li key={at} dir="auto">
          {withOwnTimes(request, name)}
        </li>
      ))}
      {names.length > MOST && <li class="soft">{fill(more, { n: names.length - MOST })}</li>}
    </ul>
  )
}

const INSTANT = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z| \d\d:\d\d UTC)/g

/** Times in it as the reader's other screens show them: the endpoint has them in UTC. */
function withOwnTimes({ page, zone }: MemberRequest, text: string): string {
  return text.replace(INSTANT, (found) => {
    const at = Date.parse(found.replace(' UTC', 'Z').replace(' ', 'T'))
    return Number.isNaN(at) ? found : ownShortMomentText(page.locale, at, zone)
  })
}
