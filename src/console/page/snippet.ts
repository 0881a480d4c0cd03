import { urlAt } from '../../env.ts'
import { isLanguage } from '../../platform/i18n/tags.ts'
import type { MemberRequest } from '../request.ts'

const MODES = ['inline', 'popup', 'floating', 'link'] as const

/** How a booking page stands on a site, as the address of the screen says. */
export type Wish = {
  /** The slug of an event type; empty for all of them. */
  readonly event: string
  readonly mode: (typeof MODES)[number]
  readonly label: string
  readonly theme: '' | 'light' | 'dark'
  readonly lang: string
  readonly hidesDetails: boolean
}

export function wishIn({ searchParams }: URL): Wish {
  const told = (name: string) => searchParams.get(name) ?? ''
  const theme = told('theme')
  return {
    event: /^[a-z0-9-]{1,63}$/.test(told('event')) ? told('event') : '',
    mode: MODES.find((mode) => mode === told('mode')) ?? 'inline',
    label: told('label').trim().slice(0, 80),
    theme: theme === 'light' || theme === 'dark' ? theme : '',
    lang: isLanguage(told('lang')) ? told('lang') : '',
    hidesDetails: searchParams.has('hide'),
  }
}

/** The attributes that `embed.js` reads of its script, or of a link. */
export function attributesOf({ member }: MemberRequest, wish: Wish): readonly (readonly [string, string])[] {
  const { event, mode, label, theme, lang, hidesDetails } = wish
  const isButton = mode === 'popup' || mode === 'floating'
  const whose: (readonly [string, string])[] =
    mode === 'link'
      ? [['data-holdfast-link', event ? `${member.slug}/${event}` : member.slug]]
      : [['data-org', member.slug], ...(event ? [['data-event', event] as const] : [])]
  return [
    ...whose,
    ...(isButton ? [['data-mode', mode] as const] : []),
    ...(isButton && label ? [['data-label', label] as const] : []),
    ...(theme ? [['data-theme', theme] as const] : []),
    ...(lang ? [['data-lang', lang] as const] : []),
    ...(hidesDetails ? [['data-hide-details', 'true'] as const] : []),
  ]
}

/** The lines to put into a site. */
export function snippetOf(request: MemberRequest, wish: Wish, words: string): string {
  const written = attributesOf(request, wish)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')
  const src = urlAt(request.page.ctx.env, '/embed.js')
  if (wish.mode !== 'link') return `<script src="${src}"${written} async></script>`
  const page = urlAt(request.page.ctx.env, pageOf(request, wish))
  return `<script src="${src}" async></script>\n<a href="${page}"${written}>${escaped(words)}</a>`
}

export function pageOf({ member }: MemberRequest, { event }: Wish): string {
  return `/book/${member.slug}${event ? `/${event}` : ''}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
