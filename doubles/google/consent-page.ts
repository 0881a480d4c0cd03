import type { Reply } from '../world.ts'

const quote = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const head = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign in</title><style>body{font:16px/1.5 system-ui;max-width:32rem;margin:3rem auto;padding:0 1rem}
button{font:inherit;display:block;width:100%;margin:.5rem 0;padding:.75rem;text-align:left}</style>`

type PretendAccount = { readonly mail: string; readonly name: string }

/** Where a person chooses an account and what the app may do. Nothing here is Google's: it only stands where Google's stands. */
export function showConsent(
  query: URLSearchParams,
  scopes: readonly string[],
  accounts: readonly PretendAccount[],
): Reply {
  const kept = [...query]
    .filter(([name]) => !['as', 'deny', 'granted', 'form'].includes(name))
    .map(([name, value]) => `<input type="hidden" name="${quote(name)}" value="${quote(value)}">`)
  const ticks = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="granted" value="${quote(scope)}" checked> ${quote(scope)}</label><br>`,
  )
  const buttons = accounts.map(
    ({ mail, name }) => `<button name="as" value="${quote(mail)}">${quote(name)} (${quote(mail)})</button>`,
  )
  return {
    status: 200,
    html: `${head}<h1>Choose a pretend account</h1><p>This is a double of Google's page on this machine. No real account is asked for.</p>
<form>${kept.join('')}<input type="hidden" name="form" value="1"><fieldset><legend>The app wants to</legend>${ticks.join('')}</fieldset>
${buttons.join('')}<button name="deny" value="1">Cancel</button></form>`,
  }
}

/**
 * What a person sees instead of the consent page; the app is not notified.
 * developers.google.com/identity/protocols/oauth2/web-server#authorization-errors
 */
export function showAuthorizationError(status: number, error: string, text: string): Reply {
  return {
    status,
    html: `${head}<h1>Access blocked: Authorization Error</h1><p>${quote(text)}</p><p>Error ${status}: ${quote(error)}</p>`,
  }
}
