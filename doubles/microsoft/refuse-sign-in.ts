import type { LoginError } from './login-error.ts'
import type { Account, State } from './state.ts'

/** Whether an account may sign in where it does; what stops it is shown and never sent back. */
export function refuseSignIn(state: State, account: Account, tenant: string): LoginError | null {
  const { settings, mail } = account
  const isPersonal = settings.kind === 'personal'
  const stranger = (where: string): LoginError => ({
    error: 'invalid_request',
    code: 50020,
    message: `User account '${mail}' from identity provider '${isPersonal ? 'live.com' : `https://sts.windows.net/${account.tenant.id}/`}' does not exist in tenant '${where}' and cannot access the application '${state.registration.clientId}'(Holdfast) in that tenant. The account needs to be added as an external user in the tenant first.`,
  })
  if (settings.signInError === 'AADSTS50020') return stranger(account.tenant.name)
  if (settings.signInError === 'AADSTS53003') {
    return {
      error: 'access_denied',
      code: 53003,
      message:
        'Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.',
    }
  }
  if (settings.signInError === 'AADSTS50105') {
    return {
      error: 'access_denied',
      code: 50105,
      message: `Your administrator has configured the application Holdfast ('${state.registration.clientId}') to block users unless they are specifically granted ('assigned') access to the application.`,
    }
  }
  if (tenant === 'common' || (tenant === 'organizations' && !isPersonal)) return null
  if (tenant === 'consumers' && isPersonal) return null
  return [account.tenant.id, account.tenant.name].includes(tenant) ? null : stranger(tenant)
}
