import { KNOWN_SCOPES } from './make-claims.ts'
import type { Provider } from './state.ts'

export type Refused = { readonly error: string; readonly error_description: string }

/** A parameter that is there twice: RFC 6749 3.1 and 3.2 forbid it. */
export function repeated(asked: URLSearchParams): string | null {
  return [...asked.keys()].find((name) => asked.getAll(name).length > 1) ?? null
}

/** Errors shown to the person only, because the way back is not safe: RFC 6749 4.1.2.1, Core 3.1.2.2. */
export function refuseAtPage({ registration }: Provider, asked: URLSearchParams): string | null {
  const redirectUri = asked.get('redirect_uri') ?? ''
  if (asked.getAll('client_id').length !== 1 || asked.get('client_id') !== registration.clientId)
    return 'There is no such client.'
  if (asked.getAll('redirect_uri').length !== 1) return 'The redirect_uri is missing.'
  // Compared sign by sign (Core 3.1.2.1), absolute and without a fragment (RFC 6749 3.1.2).
  if (!URL.canParse(redirectUri) || redirectUri.includes('#')) return 'The redirect_uri is not valid.'
  if (!(registration.redirectUris?.includes(redirectUri) ?? true))
    return 'The redirect_uri is not registered.'
  return null
}

/** Errors for the client: RFC 6749 4.1.2.1, Core 3.1.2.6 and 6, RFC 7636 4.4.1. */
export function refuseRequest({ settings, registration }: Provider, asked: URLSearchParams): Refused | null {
  const twice = repeated(asked)
  if (twice) return refused('invalid_request', `There is more than one ${twice}.`)
  for (const name of ['request', 'request_uri', 'registration'])
    if (asked.has(name)) return refused(`${name}_not_supported`, `A ${name} is not taken.`)
  const type = asked.get('response_type')
  if (type === null) return refused('invalid_request', 'The response_type is missing.')
  if (type !== 'code') return refused('unsupported_response_type', 'The response_type must be code.')
  if ((asked.get('response_mode') ?? 'query') !== 'query')
    return refused('invalid_request', 'The response_mode must be query.')
  return (
    refuseScopes(settings.unknownScopesAre, scopesOf(asked)) ??
    refusePkce(registration.requiresPkce, asked) ??
    refusePrompt(asked)
  )
}

export function scopesOf(asked: URLSearchParams): string[] {
  return (asked.get('scope') ?? '').split(' ').filter(Boolean)
}

/** Without `openid` «the behavior is entirely unspecified» (Core 3.1.2.1); here it is refused. */
function refuseScopes(unknownAre: 'ignored' | 'refused', scopes: readonly string[]): Refused | null {
  if (!scopes.includes('openid')) return refused('invalid_scope', 'The scope must contain openid.')
  const unknown = scopes.find((scope) => !KNOWN_SCOPES.includes(scope))
  return unknown && unknownAre === 'refused'
    ? refused('invalid_scope', `There is no scope ${unknown}.`)
    : null
}

function refusePkce(isRequired: boolean, asked: URLSearchParams): Refused | null {
  const challenge = asked.get('code_challenge')
  if (challenge === null) return isRequired ? refused('invalid_request', 'Code challenge required') : null
  // `plain` is the default (RFC 7636 4.3), which is not offered.
  if (asked.get('code_challenge_method') !== 'S256')
    return refused('invalid_request', 'Transform algorithm not supported')
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return refused('invalid_request', 'The code_challenge is not valid for S256.')
  return null
}

function refusePrompt(asked: URLSearchParams): Refused | null {
  const prompts = (asked.get('prompt') ?? '').split(' ')
  // «If this parameter contains none with any other value, an error is returned»: Core 3.1.2.1
  if (prompts.includes('none') && prompts.length > 1)
    return refused('invalid_request', 'The prompt none goes with no other.')
  const age = asked.get('max_age')
  return age !== null && !/^\d+$/.test(age)
    ? refused('invalid_request', 'The max_age is not a number.')
    : null
}

function refused(error: string, error_description: string): Refused {
  return { error, error_description }
}
