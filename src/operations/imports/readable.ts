import type { LeftOut } from '../../platform/db/schema/import-jobs.ts'
import { lineOf } from './text-of.ts'
import { leftOut } from './whys.ts'

type Unreadable = { readonly type: 'left_out'; readonly lost: LeftOut }

/** The things of a list of another service. */
export function recordsOf<T>(list: unknown): T[] {
  if (!Array.isArray(list)) return []
  return list.filter((one) => typeof one === 'object' && one !== null) as T[]
}

/** What is made of a thing of another service. If it has another form than documented, that thing alone is left out. */
export function readable<T>(name: unknown, make: () => T): T | Unreadable {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { type: 'left_out', lost: leftOut(lineOf(name, 100) ?? '?', 'unreadable') }
  }
}
