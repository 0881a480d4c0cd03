import { invalid } from './errors.ts'

export type PageRequest = { readonly limit: number; readonly starting_after?: string | undefined }

/** Drops the extra row that says whether there is another page. */
export function cutPage<T>(rows: readonly T[], limit: number): { data: readonly T[]; has_more: boolean } {
  return { data: rows.slice(0, limit), has_more: rows.length > limit }
}

export function assertCursor(page: PageRequest, found: readonly unknown[]): void {
  if (page.starting_after !== undefined && found.length === 0) {
    throw invalid({ starting_after: 'Must be the id of an item in this list.' })
  }
}
