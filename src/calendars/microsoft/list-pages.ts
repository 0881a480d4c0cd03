import * as z from 'zod'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Api } from '../oauth/api.ts'
import { PREFERENCES } from './graph-event.ts'

const Page = z.object({ value: z.array(z.unknown()), '@odata.nextLink': z.string().optional() })

type Pages = {
  readonly most: number
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** What it has too many of. */
  readonly tooMany?: string
}

/**
 * Every page of a collection, each of which links to the next: https://learn.microsoft.com/graph/paging. Null when there
 * is no such collection; throws `overlong` when there are more pages than `most`.
 */
export async function listPages(
  api: Api,
  request: { readonly path: string; readonly query?: Readonly<Record<string, string>> },
  { most, signal, headers = PREFERENCES, tooMany = 'calendar has more events' }: Pages,
): Promise<readonly unknown[] | null> {
  const items: unknown[] = []
  let next = request
  for (let pages = 0; pages < most; pages++) {
    const { status, json } = await api({ ...next, headers, expects: [404, 410], signal })
    if (status >= 400) return null
    const page = Page.safeParse(json)
    if (!page.success) throw new CalendarError('unusable', 'Microsoft 365 sent no list.')
    items.push(...page.data.value)
    const link = page.data['@odata.nextLink']
    if (link === undefined) return items
    next = { path: link }
  }
  throw new CalendarError('overlong', `The Microsoft 365 ${tooMany} than can be read.`)
}
