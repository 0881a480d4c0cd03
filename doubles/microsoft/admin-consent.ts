import type { Call, Reply } from '../world.ts'
import { accountOf } from './accounts.ts'
import { clientError } from './authenticate-client.ts'
import { missing, refuseRedirect } from './authorize.ts'
import { askAdministrator } from './consent-page.ts'
import { describe, showError } from './login-error.ts'
import { consentable, readScopes, scopeOf } from './scopes.ts'
import { sendBack } from './send-back.ts'
import type { State } from './state.ts'

/**
 * `{tenant}/v2.0/adminconsent`: learn.microsoft.com/entra/identity-platform/v2-admin-consent. What comes back has
 * `admin_consent=True` in success and in refusal alike; the tenant is never to be trusted.
 */
export function adminConsent(state: State, tenant: string, call: Call): Reply {
  const { query } = call
  const clientId = query.get('client_id')
  const refused = clientId ? clientError(state, clientId) : missing('client_id')
  if (refused) return showError(refused, call.now)
  const redirect = refuseRedirect(state, query.get('redirect_uri'))
  if (redirect) return showError(redirect, call.now)
  // Its page rules `common` out: a personal account has no organization to consent for.
  if (tenant === 'common' || tenant === 'consumers') {
    return showError(
      {
        error: 'invalid_request',
        code: 90002,
        message: `Tenant '${tenant}' can not be used for admin consent.`,
      },
      call.now,
    )
  }
  if (!query.get('scope')) return showError(missing('scope'), call.now)
  const scopes = readScopes(query.get('scope')!)
  const unknown = scopes.find((said) => scopeOf(said) === null)
  if (unknown) {
    return showError(
      {
        error: 'invalid_client',
        code: 650053,
        message: `The application asked for scope '${unknown}' that doesn't exist on the resource.`,
      },
      call.now,
    )
  }
  const back = { uri: query.get('redirect_uri')!, state: query.get('state') }
  const as = query.get('as')
  if (query.get('deny') === '1') {
    const denied = {
      error: 'consent_required',
      code: 65004,
      message: 'The resource owner or authorization server denied the request.',
    }
    return sendBack(back, {
      admin_consent: 'True',
      error: denied.error,
      error_description: describe(denied, call.now),
    })
  }
  if (as === null) return askAdministrator(state, call, scopes)
  const account = accountOf(state, as)
  const isStranger = tenant !== 'organizations' && ![account.tenant.id, account.tenant.name].includes(tenant)
  if (account.settings.kind === 'personal' || isStranger) {
    return showError(
      {
        error: 'invalid_request',
        code: 50020,
        message: `User account '${account.mail}' does not exist in tenant '${tenant}'.`,
      },
      call.now,
    )
  }
  // Other users see a page and stay on it: MicrosoftDocs/azure-docs#41053
  if (!account.settings.isAdministrator) {
    return showError(
      {
        error: 'access_denied',
        code: 90094,
        message:
          'Holdfast needs permission to access resources in your organization that only an admin can grant.',
      },
      call.now,
    )
  }
  for (const scope of consentable(scopes)) account.tenant.consented.add(scope)
  return sendBack(back, { admin_consent: 'True', tenant: account.tenant.id, scope: scopes.join(' ') })
}
