import { isPersonalTenant } from './accounts.ts'
import type { LoginError } from './login-error.ts'
import { consentable } from './scopes.ts'
import type { Account } from './state.ts'

/** Users of organizations may still consent to be known; what reaches into a mailbox is not theirs to give. */
const isHarmless = (scope: string) => scope.startsWith('User.Read')

/** What the user would have to consent to and may not. */
export function refuseConsent(
  account: Account,
  scopes: readonly string[],
  isAskedAnew: boolean,
): LoginError | null {
  const { settings, tenant, consented } = account
  const needed = consentable(scopes).filter(
    (scope) => isAskedAnew || !(consented.has(scope) || tenant.consented.has(scope)),
  )
  if (needed.every(isHarmless) || settings.userConsent === 'allowed') return null
  if (settings.isAdministrator || isPersonalTenant(tenant)) return null
  const code = settings.userConsent === 'silent' ? 90094 : Number(settings.userConsent.slice('AADSTS'.length))
  const messages: Record<number, string> = {
    65001:
      "The user or administrator has not consented to use the application with ID 'holdfast-double' named 'Holdfast'. Send an interactive authorization request for this user and resource.",
    90094:
      'Holdfast needs permission to access resources in your organization that only an admin can grant. Please ask an admin to grant permission to this app before you can use it.',
    90095:
      'Admin consent is required for the permissions requested by this application. An admin consent request may be sent to the admin.',
  }
  return { error: code === 65001 ? 'consent_required' : 'access_denied', code, message: messages[code]! }
}
