import type { Reply } from '../world.ts'
import { escapeHtml, htmlPage } from './login-error.ts'

/** Where an answer of the authorization page goes, and how. */
export type Back = {
  readonly uri: string
  readonly state: string | null
  readonly mode: 'query' | 'fragment' | 'form_post'
}

export function backUrl({ uri, state, mode }: Back, answer: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams({ ...answer, ...(state !== null && { state }) })
  if (mode === 'fragment') return `${uri}#${params}`
  return `${uri}${uri.includes('?') ? '&' : '?'}${params}`
}

export function sendBack(back: Back, answer: Readonly<Record<string, string>>): Reply {
  if (back.mode !== 'form_post')
    return { status: 302, headers: { Location: backUrl(back, answer), 'Cache-Control': 'no-store' } }
  const fields = Object.entries({ ...answer, ...(back.state !== null && { state: back.state }) })
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
  const form = `<form method="post" action="${escapeHtml(back.uri)}">${fields}<button>Continue</button></form>`
  return { status: 200, html: htmlPage('Working…', `${form}<script>document.forms[0].submit()</script>`) }
}
