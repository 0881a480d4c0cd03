import type * as z from 'zod'
import { type Problem, problem } from '../reasons/reason.ts'
import { DRY_RUN } from './dry-run.ts'
import { invalid } from './errors.ts'
import type { Route } from './route.ts'

/**
 * The query parameters of a call. One that the route does not know would be misread, and so would a value that is sent
 * twice. A list takes commas, `name=a&name=b` and `name[]=a`, which libraries write without being asked.
 */
export function readQuery(
  { request, hasDryRun, ignoresUnknownQuery = false }: Route,
  sent: URLSearchParams,
): Record<string, string> {
  const shape = request.query?.shape ?? {}
  const known = [...Object.keys(shape), ...(hasDryRun ? [DRY_RUN] : [])]
  const values = new Map<string, string>()
  const wrong = new Map<string, Problem>()
  for (const [sentName, value] of sent) {
    const listName = sentName.replace(/\[\]$/, '')
    const isOfList = known.includes(listName) && takesSeveral(shape[listName])
    const name = isOfList ? listName : sentName
    const earlier = values.get(name)
    if (!known.includes(name)) {
      // A caller who expects a dry run must not change anything instead.
      if (!ignoresUnknownQuery || name === DRY_RUN)
        wrong.set(name || 'query', problem('not_taken', { known }))
    } else if (earlier === undefined) values.set(name, value)
    else if (isOfList) values.set(name, `${earlier},${value}`)
    else wrong.set(name, problem('sent_twice'))
  }
  if (wrong.size > 0) throw invalid(Object.fromEntries(wrong))
  return Object.fromEntries(values)
}

function takesSeveral(schema: z.ZodType | undefined): boolean {
  return schema?.meta()?.type === 'array'
}
