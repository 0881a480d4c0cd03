import { escapeHtml, hiddenFields, htmlPage } from '../pages.ts'
import type { Reply } from '../world.ts'
import { type Provider, personOf } from './state.ts'

/** A page with a button for each person. */
export function choosePage(provider: Provider, asked: URLSearchParams): Reply {
  personOf(provider, asked.get('login_hint') ?? 'owner@example.com')
  const buttons = [...provider.people.values()].map(
    ({ login }) =>
      `<p><button name="as" value="${escapeHtml(login)}">Sign in as ${escapeHtml(login)}</button></p>`,
  )
  const own = provider.settings.endpointQuery === null ? '' : `?${provider.settings.endpointQuery}`
  return htmlPage(
    200,
    'Sign in with a pretend account',
    `<p>This is a double of an OpenID Connect provider on this machine. No real account is asked for.</p>
<form method="${own ? 'post' : 'get'}" action="${escapeHtml(`${provider.frame.base}/authorize${own}`)}">${hiddenFields(asked)}${buttons.join('')}
<p><button name="deny" value="1">Cancel</button></p></form>`,
  )
}

export function errorPage(text: string): Reply {
  return htmlPage(400, 'This sign-in cannot go on', `<p>${escapeHtml(text)}</p>`)
}
