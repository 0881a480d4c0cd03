import { type Problem, problem } from '../reasons/reason.ts'

const PRIVATE_DOMAINS = ['local', 'internal', 'localhost']

/**
 * Why a URL may not be used, or null when it may: it must be https to a public host name. The URL parser
 * turns every spelling of an IPv4 address (decimal, hexadecimal, octal, shortened, percent-encoded,
 * full-width) into four decimal numbers before the host is judged (WHATWG URL, section 3.5). `allowPrivate`
 * is for local development and tests: any host, and http.
 */
export function refusePublicUrl(url: string, allowPrivate: boolean): Problem | null {
  if (/[\s\p{Cc}]/u.test(url)) return problem('has_white_space')
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:\/\//i.test(url)) return problem('not_https')
  if (parsed.username !== '' || parsed.password !== '' || hasUserInfo(url)) return problem('has_credentials')
  if (allowPrivate) return null
  if (parsed.protocol !== 'https:') return problem('not_https')
  return refusePublicHost(parsed.hostname.replace(/\.$/, ''))
}

/** The same of a host name alone, as the URL parser leaves it. */
export function refusePublicHost(host: string): Problem | null {
  const labels = host.split('.')
  const last = labels.at(-1)!
  if (host.startsWith('[') || /^(\d+|0x[\da-f]*)$/.test(last)) return problem('ip_address')
  if (labels.length < 2 || labels.includes('') || PRIVATE_DOMAINS.includes(last)) {
    return problem('private_host')
  }
  return null
}

/** An empty user name leaves no trace in the parsed URL. */
function hasUserInfo(url: string): boolean {
  const authority = /^https?:[/\\]*([^/\\?#]*)/i.exec(url)?.[1] ?? ''
  return authority.includes('@')
}
