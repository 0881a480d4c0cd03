import type { Call, Json, Reply } from '../world.ts'
import { KNOWN_SCOPES } from './make-claims.ts'
import { NO_ORGANIZATION } from './name-issuer.ts'
import { changed, type Provider } from './state.ts'

const WELL_KNOWN = '/.well-known/openid-configuration'

/**
 * The issuer in the document of this path, or null. A slash at the end of an issuer is removed before the path is added:
 * Discovery 4.1 (infiniflow/ragflow#18530 has two). Microsoft Entra returns the template at `common` and `organizations`, and a
 * tenant at `consumers`: thesaadmirza/django-bastion#38.
 */
function toldAt({ frame, settings }: Provider, path: string): string | null {
  const [before = '', after] = settings.issuerPath.replace(/\/$/, '').split('{tenantid}')
  if (after === undefined) return path === before + WELL_KNOWN ? frame.base + settings.issuerPath : null
  if (!path.startsWith(before) || !path.endsWith(after + WELL_KNOWN)) return null
  const tenant = path.slice(before.length, path.length - (after + WELL_KNOWN).length)
  if (!/^[\w.-]+$/.test(tenant)) return null
  const told =
    tenant === 'common' || tenant === 'organizations'
      ? '{tenantid}'
      : tenant === 'consumers'
        ? NO_ORGANIZATION
        : tenant
  return frame.base + settings.issuerPath.replace('{tenantid}', told)
}

/** Discovery 3 and 4.2, or null where the path has no such document. */
export function tellConfiguration(provider: Provider, { path }: Call): Reply | null {
  const issuer = toldAt(provider, path)
  if (issuer === null) return null
  const { settings } = provider
  return cached(
    provider,
    changed(
      {
        issuer,
        authorization_endpoint: endpoint(provider, 'authorize'),
        token_endpoint: endpoint(provider, 'token'),
        jwks_uri: endpoint(provider, 'keys'),
        ...(settings.hasUserinfo && { userinfo_endpoint: endpoint(provider, 'userinfo') }),
        scopes_supported: KNOWN_SCOPES,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code'],
        subject_types_supported: ['public'],
        // RS256 must be there, and `none` is for those who get no id_token here: Discovery 3
        id_token_signing_alg_values_supported: ['RS256', 'none'].includes(settings.algorithm)
          ? ['RS256']
          : ['RS256', settings.algorithm],
        token_endpoint_auth_methods_supported: settings.clientAuthentication,
        code_challenge_methods_supported: ['S256'],
        claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'name', 'email', 'email_verified'],
        claims_parameter_supported: false,
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        ...(settings.namesIssuer && { authorization_response_iss_parameter_supported: true }),
      },
      settings.discoveryChanges,
    ),
  )
}

/** Azure AD B2C names its policy in the query, which has to be kept (RFC 6749 3.1): damienbod/angular-auth-oidc-client#57 */
function endpoint({ frame, settings }: Provider, name: string): string {
  return `${frame.base}/${name}${settings.endpointQuery === null ? '' : `?${settings.endpointQuery}`}`
}

/** Whether a call lacks what the advertised address had. */
export function lacksQuery({ settings }: Provider, { query }: Call): boolean {
  return [...new URLSearchParams(settings.endpointQuery ?? '')].some(
    ([name, value]) => query.get(name) !== value,
  )
}

export function cached({ settings }: Provider, json: Json): Reply {
  const { cacheSeconds } = settings
  return {
    status: 200,
    json,
    ...(cacheSeconds !== null && { headers: { 'Cache-Control': `public, max-age=${cacheSeconds}` } }),
  }
}
