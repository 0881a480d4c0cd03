import type { Env } from '../env.ts'
import type { PublicCaller } from '../platform/auth/caller.ts'
import type { Context } from '../platform/http/context.ts'
import { isUsableZone } from '../platform/i18n/format.ts'
import { type Clock, localeFor } from '../platform/i18n/locale.ts'
import { isLanguage } from '../platform/i18n/tags.ts'
import { realNow } from '../platform/limits/clock.ts'
import { assetVersion } from './asset-version.ts'
import type { Page } from './page.ts'
import { todaysName } from './zones.ts'

const PUBLIC: PublicCaller = { kind: 'public' }
const YEAR_S = 31_536_000

/** What the request says about the visitor: language, zone, and how they came. */
export async function openPage(request: Request, env: Env, requestId: string): Promise<Page> {
  const url = new URL(request.url)
  const asked = { lang: url.searchParams.get('lang'), tz: url.searchParams.get('tz') }
  if (!isUsableZone(asked.tz)) url.searchParams.delete('tz')
  if (!isLanguage(asked.lang)) url.searchParams.delete('lang')
  const cookies = cookiesOf(request)
  const language = isLanguage(asked.lang) ? asked.lang : (cookies.get('hf_lang') ?? null)
  const chosen = [asked.tz, cookies.get('hf_tz')].find(isUsableZone)
  const zoneTold = cookies.get('hf_zone') ?? ''
  const zone = chosen ?? [zoneTold].find(isUsableZone)
  const guess = [(request.cf as { timezone?: string } | undefined)?.timezone].find(isUsableZone)
  const found = zone ?? guess
  const theme = url.searchParams.get('theme')
  const color = colorIn(url.searchParams.get('color'))
  if (color === null) url.searchParams.delete('color')
  const clock = [url.searchParams.get('clock'), cookies.get('hf_clock')].find(isClock)
  const ctx: Context<PublicCaller> = {
    env,
    request,
    requestId,
    now: realNow(),
    ipAddress: request.headers.get('cf-connecting-ip'),
    caller: PUBLIC,
    claim: null,
    isDry: false,
  }
  return {
    ctx,
    url,
    locale: {
      ...localeFor(language, request.headers.get('accept-language')),
      ...(clock && { clock }),
    },
    zone: found === undefined ? null : todaysName(found),
    zoneTold,
    isZoneKnown: zone !== undefined,
    isZoneChosen: chosen !== undefined,
    isEmbedded: url.searchParams.get('embed') === '1',
    assetVersion: await assetVersion(env),
    nonce: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))),
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    color,
    hidesDetails: url.searchParams.get('details') === 'hide',
    cookies: [
      ...(isClock(url.searchParams.get('clock')) ? [cookie(url, 'hf_clock', clock!)] : []),
      ...(isLanguage(asked.lang) ? [cookie(url, 'hf_lang', asked.lang)] : []),
      ...(isUsableZone(asked.tz) ? [cookie(url, 'hf_tz', asked.tz)] : []),
    ],
  }
}

function isClock(text: string | null | undefined): text is Clock {
  return text === '12' || text === '24'
}

/** `#1a2b3c` or `1a2b3c`. */
function colorIn(text: string | null): string | null {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text ?? '')?.[1]
  return digits ? `#${digits.toLowerCase()}` : null
}

export function cookiesOf(request: Request): Map<string, string> {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='))
  return new Map(pairs.map(([name, value]) => [name!, unescaped(value ?? '')]))
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function cookie(url: URL, name: string, value: string): string {
  const secure = url.protocol === 'https:' ? '; Secure' : ''
  return `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`
}
