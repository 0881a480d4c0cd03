import { exports } from 'cloudflare:workers'
import { freshAddress } from './app.ts'

export type Visited = { readonly status: number; readonly headers: Headers; readonly text: string }

export type Visit = {
  /** With every value of a field that has several, as pairs. */
  readonly form?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  /** A form with a file, as a browser sends it. */
  readonly parts?: FormData
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

export const SITE = 'https://holdfast.test'

/** Asks for a page as a browser does: a form comes from the page's own site unless it says otherwise. */
export async function visit(path: string, how: Visit = {}): Promise<Visited> {
  return seen(await exports.default.fetch(browserRequest(path, how)))
}

export function browserRequest(path: string, { form, parts, headers, method }: Visit): Request {
  return new Request(new URL(path, SITE), {
    method: method ?? (form || parts ? 'POST' : 'GET'),
    redirect: 'manual',
    headers: {
      'CF-Connecting-IP': freshAddress(),
      Accept: 'text/html',
      ...(form && { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }),
      ...(parts && { 'Sec-Fetch-Site': 'same-origin' }),
      ...headers,
    },
    ...(parts && { body: parts }),
    ...(form && { body: new URLSearchParams(pairsOf(form)).toString() }),
  })
}

function pairsOf(form: NonNullable<Visit['form']>): [string, string][] {
  return Symbol.iterator in form ? form.map(([name, value]) => [name, value]) : Object.entries(form)
}

export async function seen(response: Response): Promise<Visited> {
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/**
 * What a form of the page would send, and where to; `which` is its action if a form has exactly that, else part of it, and
 * `holds` is part of what is in it.
 */
export function formOf({ text }: Visited, which: string, holds = '') {
  const forms = [...text.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes, inside]) => ({
    ...{ attributes, inside, action: unescaped(/action="([^"]*)"/.exec(attributes!)?.[1] ?? '') },
  }))
  const exact = forms.filter(({ action }) => action === which)
  for (const { attributes, inside, action } of [...exact, ...forms]) {
    if (!/method="post"/.test(attributes!) || !action.includes(which) || !inside!.includes(holds)) continue
    const pairs: [string, string][] = []
    for (const [input] of inside!.matchAll(/<input[^>]*>/g)) {
      if (/type="(radio|checkbox)"/.test(input) && !/\schecked/.test(input)) continue
      pairs.push([attribute(input, 'name'), unescaped(attribute(input, 'value'))])
    }
    for (const [, start, value] of inside!.matchAll(/<textarea([^>]*)>([^<]*)<\/textarea>/g)) {
      pairs.push([attribute(start!, 'name'), unescaped(value!)])
    }
    for (const [, start, options] of inside!.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)) {
      const chosen = /<option[^>]*\sselected[^>]*>/.exec(options!)?.[0] ?? ''
      pairs.push([attribute(start!, 'name'), unescaped(attribute(chosen, 'value'))])
    }
    return { action, pairs, fields: Object.fromEntries(pairs) as Record<string, string> }
  }
  throw new Error(`no form to ${which} in ${text.slice(0, 2000)}`)
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
}

export function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Where the links of the page lead. */
export function linksOf({ text }: Visited): string[] {
  return [...text.matchAll(/<a[^>]*\shref="([^"]*)"/g)].map(([, href]) => unescaped(href!))
}

/** What a visitor reads, without what only draws it. */
export function wordsOf({ text }: Visited): string {
  return unescaped(text.replace(/<(style|script)[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' ')).replace(
    /\s+/g,
    ' ',
  )
}
