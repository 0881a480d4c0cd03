import type { ApiKeyCaller } from './caller.ts'

/** The headers by which an API key's call claims to be something else, with a sentence each. */
export function contradictionsOf(headers: Headers, caller: ApiKeyCaller): Readonly<Record<string, string>> {
  const mode = caller.isTest ? 'test' : 'live'
  const claims = [
    ['X-Org-Id', caller.organizationId, 'the organization of the API key'],
    ['X-Service-Mode', mode, `${mode}, the mode of the API key`],
    ['X-User-Id', caller.userId, 'the user id of the member that the API key was made for'],
  ] as const
  const wrong = claims.filter(([header, own]) => {
    const claimed = headers.get(header)
    return claimed !== null && (header === 'X-Org-Id' ? claimed.toLowerCase() : claimed) !== own
  })
  return Object.fromEntries(wrong.map(([header, , own]) => [header, `Must be ${own} or left out.`]))
}
