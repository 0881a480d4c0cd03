import type { Call, Reply } from '../world.ts'
import { adminConsent } from './admin-consent.ts'
import { authorize } from './authorize.ts'
import { htmlPage } from './login-error.ts'
import { publicKeys } from './make-tokens.ts'
import { redeem } from './redeem-tokens.ts'
import type { State } from './state.ts'

/** learn.microsoft.com/entra/identity-platform/v2-protocols-oidc */
const configuration = (base: string, tenant: string) => ({
  token_endpoint: `${base}/${tenant}/oauth2/v2.0/token`,
  token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
  jwks_uri: `${base}/${tenant}/discovery/v2.0/keys`,
  response_modes_supported: ['query', 'fragment', 'form_post'],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ['RS256'],
  response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
  scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
  issuer: `${base}/${/^[\da-f-]{36}$/.test(tenant) ? tenant : '{tenantid}'}/v2.0`,
  authorization_endpoint: `${base}/${tenant}/oauth2/v2.0/authorize`,
  end_session_endpoint: `${base}/${tenant}/oauth2/v2.0/logout`,
})

/** There is no address for revoking a token: a user does it in the list of apps of the account. */
export function answerLogin(state: State, call: Call): Reply {
  const [, tenant = '', ...rest] = call.path.split('/').map(decodeURIComponent)
  switch (`${call.method} ${rest.join('/')}`) {
    case 'GET oauth2/v2.0/authorize':
      return authorize(state, tenant.toLowerCase(), call)
    case 'POST oauth2/v2.0/token':
      return redeem(state, call)
    case 'GET v2.0/adminconsent':
      return adminConsent(state, tenant.toLowerCase(), call)
    case 'GET v2.0/.well-known/openid-configuration':
      return { status: 200, json: configuration(call.base, tenant) }
    case 'GET discovery/v2.0/keys':
      return { status: 200, json: publicKeys() }
    case 'GET oauth2/v2.0/logout':
      return {
        status: 200,
        html: htmlPage(
          'You signed out of your account',
          '<p>It’s a good idea to close all browser windows.</p>',
        ),
      }
    default:
      return { status: 404, html: htmlPage('404 - File or directory not found.', '') }
  }
}
