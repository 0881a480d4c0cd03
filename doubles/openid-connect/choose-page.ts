import type { Reply } from '../world.ts'
import { type Provider, personOf } from './state.ts'

/** A page with a button for each person. */
export function choosePage(provider: Provider, asked: URLSearchParams): Reply {
  personOf(provider, asked.get('login_hint') ?? 'owner@example.com')
  const kept = [...asked]
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('')
  const buttons = [...provider.people.values()].map(
    ({ login }) => `<p><button name="as" value="${escaped(login)}">Sign in as ${escaped(login)}</button></p>`,
  )
  const own = provider.settings.endpointQuery === null ? '' : `?${provider.settings.endpointQuery}`
  return page(
    200,
    'Sign in with a pretend account',
    `<p>This is a double of an OpenID Connect provider on this machine. No real account is asked for.</p>
<form method="${own ? 'post' : 'get'}" action="${escaped(`${provider.frame.base}/authorize${own}`)}">${kept}${buttons.join('')}
<p><button name="deny" value="1">Cancel</button></p></form>`,
  )
}

export function errorPage(text: string): Reply {
  return page(400, 'This sign-in cannot go on', `<p>${escaped(text)}</p>`)
}

function page(status: number, title: string, content: string): Reply {
  return {
    status,
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${content}</html>`,
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
