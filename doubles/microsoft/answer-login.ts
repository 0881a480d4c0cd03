import { htmlPage } from '../pages.ts'
import type { Call, Reply } from '../world.ts'
import { adminConsent } from './admin-consent.ts'
import { authorize } from './authorize.ts'
import { publicKeys } from './make-tokens.ts'
import { redeem } from './redeem-tokens.ts'
import type { State } from './state.ts'

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
    case 'GET discovery/v2.0/keys':
      return { status: 200, json: publicKeys() }
    default:
      return htmlPage(404, '404 - File or directory not found.', '')
  }
}
