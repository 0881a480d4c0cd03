import { invalid } from '../../platform/http/errors.ts'
import { problem } from '../../platform/reasons/reason.ts'
import type { Args } from './tool.ts'

/** What asks for more gets as many. */
const MOST_ROWS = 200
/** And a list of the API has at most as many. */
export const MOST_OF_API = 100

export const NEXT_PAGE = 'There are more: call again with starting_after, the id of the last one.'

/** How many rows are asked for; `usual` without a limit. */
export function limitOf({ limit }: Args, usual: number): number {
  const asked = Number(limit ?? usual)
  if (!(Number.isInteger(asked) && asked >= 1)) throw invalid({ limit: problem('too_low', { least: 1 }) })
  return Math.min(asked, MOST_ROWS)
}

/** A row with these names alone. */
export function lean(row: Args, names: readonly string[]): Args {
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]))
}
