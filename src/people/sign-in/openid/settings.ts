import { type Env, urlAt } from '../../../env.ts'
import type { OpenIdConfig } from '../../openid/openid-config.ts'

type OpenIdSettings = Pick<
  Env,
  'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_NAME' | 'ALLOW_PRIVATE_HOSTS' | 'PUBLIC_URL'
>

export type OpenId = OpenIdConfig & {
  /** As people know the provider. */
  readonly name: string
  /** What its accounts are kept under: its address without a slash at the end. */
  readonly key: string
}

const NEEDED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
/** Where it sends people back to. */
const BACK = '/console/sign-in/openid/callback'

/** The provider that people sign in with; null where none is set, or where what is set will not do. */
export function openIdOf(env: OpenIdSettings): OpenId | null {
  if (!env.OIDC_ISSUER || openIdProblem(env) !== null) return null
  const issuer = env.OIDC_ISSUER.trim()
  return {
    issuer,
    clientId: env.OIDC_CLIENT_ID!.trim(),
    clientSecret: env.OIDC_CLIENT_SECRET!.trim(),
    redirectUri: urlAt(env, BACK),
    allowsHttp: env.ALLOW_PRIVATE_HOSTS === 'true',
    name: env.OIDC_NAME?.trim() || new URL(issuer).host,
    key: issuer.replace(/\/+$/, ''),
  }
}

/** Why nobody can sign in with a provider though something of it is set, for the operator; else null. */
export function openIdProblem(env: OpenIdSettings): string | null {
  const missing = NEEDED.filter((name) => !env[name]?.trim())
  if (missing.length === NEEDED.length) return null
  if (missing.length > 0) return `${NEEDED.join(', ')} need each other: set ${missing.join(' and ')} too.`
  return issuerProblem(env.OIDC_ISSUER!.trim(), env.ALLOW_PRIVATE_HOSTS === 'true')
}

/** What is wrong with the address of a provider; null where nothing is. */
function issuerProblem(issuer: string, allowsHttp: boolean): string | null {
  const url = URL.parse(issuer)
  const isOpen = url?.protocol === 'https:' || (allowsHttp && url?.protocol === 'http:')
  if (!url || !isOpen || url.search || url.hash || url.username) {
    return 'OIDC_ISSUER must be the https address that the provider calls itself by.'
  }
  const isEverybodys = /^\/(common|organizations|consumers)\//.test(url.pathname)
  return url.hostname === 'login.microsoftonline.com' && isEverybodys
    ? 'OIDC_ISSUER must name one tenant: https://login.microsoftonline.com/<tenant id>/v2.0.'
    : null
}
