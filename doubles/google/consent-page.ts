import { escapeHtml, hiddenFields, htmlPage } from '../pages.ts'
import type { Reply } from '../world.ts'

type PretendAccount = { readonly mail: string; readonly name: string }

/** Where a person chooses an account and what the app may do. Nothing here is Google's: it only stands where Google's stands. */
export function showConsent(
  query: URLSearchParams,
  scopes: readonly string[],
  accounts: readonly PretendAccount[],
): Reply {
  const ticks = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="granted" value="${escapeHtml(scope)}" checked> ${escapeHtml(scope)}</label><br>`,
  )
  const buttons = accounts.map(
    ({ mail, name }) =>
      `<button name="as" value="${escapeHtml(mail)}">${escapeHtml(name)} (${escapeHtml(mail)})</button>`,
  )
  const hidden = hiddenFields(query, ['as', 'deny', 'granted', 'form'])
  return htmlPage(
    200,
    'Choose a pretend account',
    `<p>This is a double of Google's page on this machine. No real account is asked for.</p>
<form>${hidden}<input type="hidden" name="form" value="1"><fieldset><legend>The app wants to</legend>${ticks.join('')}</fieldset>
${buttons.join('')}<button name="deny" value="1">Cancel</button></form>`,
  )
}

/**
 * What a person sees instead of the consent page; the app is not notified.
 * developers.google.com/identity/protocols/oauth2/web-server#authorization-errors
 */
export function showAuthorizationError(status: number, error: string, text: string): Reply {
  return htmlPage(
    status,
    'Access blocked: Authorization Error',
    `<p>${escapeHtml(text)}</p><p>Error ${status}: ${escapeHtml(error)}</p>`,
  )
}
