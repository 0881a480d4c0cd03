import { type Problem, problem } from '../reasons/reason.ts'
import { DRY_RUN } from './dry-run.ts'
import { invalid } from './errors.ts'
import type { Route } from './route.ts'

/** The query parameters of a call. One that the route does not know, or that is sent twice, would be misread. */
export function readQuery(
  { request, hasDryRun, ignoresUnknownQuery = false }: Route,
  sent: URLSearchParams,
): Record<string, string> {
  const known = [...Object.keys(request.query?.shape ?? {}), ...(hasDryRun ? [DRY_RUN] : [])]
  const values = new Map<string, string>()
  const wrong = new Map<string, Problem>()
  for (const [name, value] of sent) {
    if (!known.includes(name)) {
      // A caller who expects a dry run must not change anything instead.
      if (!ignoresUnknownQuery || name === DRY_RUN)
        wrong.set(name || 'query', problem('not_taken', { known }))
    } else if (values.has(name)) wrong.set(name, problem('sent_twice'))
    else values.set(name, value)
  }
  if (wrong.size > 0) throw invalid(Object.fromEntries(wrong))
  return Object.fromEntries(values)
}
