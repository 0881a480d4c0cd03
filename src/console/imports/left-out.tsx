import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { importTexts } from '../../platform/i18n/console/imports.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'

const MOST = 100

type Props = { readonly request: MemberRequest; readonly items: ImportJob['left_out'] }

/** What was left out, below each reason. */
export function LeftOut({ request, items }: Props) {
  const texts = textsOf(request.page.locale, importTexts)
  const byWhy = Map.groupBy(items, ({ why }) => why)
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
          <Some texts={texts} names={those.map(({ what }) => what)} />
        </details>
      ))}
    </section>
  )
}

type SomeProps = { readonly texts: { readonly more: string }; readonly names: readonly string[] }

/** The first of them, and how many more there are. */
export function Some({ texts, names }: SomeProps) {
  return (
    <ul>
      {names.slice(0, MOST).map((name, at) => (
        <li key={at} dir="auto">
          {name}
        </li>
      ))}
      {names.length > MOST && <li class="soft">{fill(texts.more, { n: names.length - MOST })}</li>}
    </ul>
  )
}
