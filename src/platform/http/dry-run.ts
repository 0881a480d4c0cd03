import { problem } from '../reasons/reason.ts'
import { invalid } from './errors.ts'
import type { Route } from './route.ts'

/** The query parameter by which a call only asks how it would be answered. */
export const DRY_RUN = 'dry_run'

/** Said of every answer to such a call, whatever it is. */
export const DRY_RUN_HEADER = 'Dry-Run'

/** Whether the call is one, before anything else of it was judged. */
export function asksForDryRun({ hasDryRun }: Route, query: URLSearchParams): boolean {
  return hasDryRun === true && query.get(DRY_RUN) === 'true'
}

/** The same of the parameter's value, once the caller may learn that it is not valid. */
export function isDryRun(value = 'false'): boolean {
  if (value !== 'true' && value !== 'false')
    throw invalid({ [DRY_RUN]: problem('not_a', { kinds: ['boolean'] }) })
  return value === 'true'
}
