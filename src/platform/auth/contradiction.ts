import { type Problem, problem } from '../reasons/reason.ts'
import type { ApiKeyCaller } from './caller.ts'

/** The headers by which an API key's call claims to be something else, and what is wrong with each. */
export function contradictionsOf(headers: Headers, caller: ApiKeyCaller): Readonly<Record<string, Problem>> {
  const mode = caller.isTest ? 'test' : 'live'
  const claims = [
    ['X-Org-Id', caller.organizationId, problem('key_of_other_organization')],
    ['X-Service-Mode', mode, problem('key_of_other_mode', { mode })],
    ['X-User-Id', caller.userId, problem('key_of_other_user')],
  ] as const
  const wrong = claims.filter(([header, own]) => {
    const claimed = headers.get(header)
    return claimed !== null && (header === 'X-Org-Id' ? claimed.toLowerCase() : claimed) !== own
  })
  return Object.fromEntries(wrong.map(([header, , own]) => [header, own]))
}
