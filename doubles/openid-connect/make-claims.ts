import type { Json } from '../world.ts'
import { halfHash } from './make-keys.ts'
import { idFrom, issuerFor, tenantOf } from './name-issuer.ts'
import { type Code, changed, type Provider } from './state.ts'

/** Core 5.4. */
const OF_SCOPE: Readonly<Record<string, readonly string[]>> = {
  profile: [
    ...['name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username', 'profile'],
    ...['picture', 'website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at'],
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

export const KNOWN_SCOPES = ['openid', ...Object.keys(OF_SCOPE)]

/** The claims that those scopes allow, and claims without a scope. */
function scopedClaims({ settings }: Provider, { person, scopes }: Code): Json {
  const held = Object.entries(OF_SCOPE).flatMap(([scope, names]) => (scopes.includes(scope) ? [] : names))
  return Object.fromEntries(
    Object.entries(person.claims).filter(
      ([name]) => !held.includes(name) && !settings.neverTells.includes(name),
    ),
  )
}

/** Core 2. */
export function idTokenClaims(provider: Provider, code: Code, accessToken: string, now: number): Json {
  const { settings, registration } = provider
  const issuedAt = Math.floor(now / 1000)
  const { person } = code
  const isTemplate = settings.issuerPath.includes('{tenantid}')
  return changed(
    changed(
      {
        iss: issuerFor(provider, person),
        sub: person.sub,
        aud: registration.clientId,
        ...(settings.hasAuthorizedParty && { azp: registration.clientId }),
        iat: issuedAt,
        exp: issuedAt + settings.idTokenLifetimeSeconds,
        ...(settings.notBeforeSeconds !== null && { nbf: issuedAt - settings.notBeforeSeconds }),
        // Required where `max_age` was asked for, otherwise as the provider likes: Core 2.
        ...(code.wantsAuthTime && { auth_time: issuedAt - settings.signedInSecondsAgo }),
        ...(code.nonce !== null && { nonce: code.nonce }),
        ...(settings.hasAtHash &&
          settings.algorithm !== 'none' && { at_hash: halfHash(settings.algorithm, accessToken) }),
        ...toldClaims(provider, code),
        ...(isTemplate && {
          tid: tenantOf(person),
          oid: person.claims.oid ?? idFrom(`person ${person.login}`),
        }),
      },
      settings.usualClaims,
    ),
    settings.claimChanges,
  )
}

function toldClaims(provider: Provider, code: Code): Json {
  const { settings } = provider
  const claims = scopedClaims(provider, code)
  if (settings.idTokenTells === 'all') return claims
  const kept = settings.idTokenTells === 'nothing' ? [] : ['name', 'preferred_username', 'email']
  return Object.fromEntries(Object.entries(claims).filter(([name]) => kept.includes(name)))
}

/** Core 5.3.2; a signed one has `iss` and `aud`. */
export function userinfoClaims(provider: Provider, code: Code): Json {
  const { settings, registration } = provider
  const { person } = code
  const asText = (value: unknown) => (typeof value === 'boolean' ? String(value) : value)
  const claims = Object.entries(scopedClaims(provider, code)).map(([name, value]) => [
    name,
    settings.userinfoHasTexts ? asText(value) : value,
  ])
  return changed(
    {
      sub: person.sub,
      ...Object.fromEntries(claims),
      ...(settings.userinfoIs === 'jwt' && { iss: issuerFor(provider, person), aud: registration.clientId }),
    },
    settings.userinfoChanges,
  )
}
