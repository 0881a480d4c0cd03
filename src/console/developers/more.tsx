import { isId } from '../../platform/db/ids.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import type { MemberRequest } from '../request.ts'

type Props = {
  readonly request: MemberRequest
  readonly to: string
  /** The last of what is shown, where more follows. */
  readonly last: string | null
}

/** The way on in a list, and back to its beginning. */
export function More({ request: { page }, to, last }: Props) {
  const texts = textsOf(page.locale, shellTexts)
  const isLater = page.url.searchParams.has('after')
  if (last === null && !isLater) return null
  return (
    <p class="linked">
      {last !== null && (
        <a class="button soft-button" href={`${to}${to.includes('?') ? '&' : '?'}after=${last}`}>
          {texts.more}
        </a>
      )}
      {isLater && <a href={to}>{texts.newest}</a>}
    </p>
  )
}

/** Where a list goes on, as an endpoint is asked for it. */
export function afterIn({ searchParams }: URL): { readonly starting_after?: string } {
  const after = searchParams.get('after')
  return after !== null && isId(after) ? { starting_after: after } : {}
}
