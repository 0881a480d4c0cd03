const PRIVATE_DOMAINS = ['local', 'internal', 'localhost']

/**
 * Why a URL may not be used, or null when it may: it must be https to a public host name. The URL parser
 * turns every spelling of an IPv4 address (decimal, hexadecimal, octal, shortened, percent-encoded,
 * full-width) into four decimal numbers before the host is judged (WHATWG URL, section 3.5). `allowPrivate`
 * is for local development and tests: any host, and http.
 */
export function refusePublicUrl(url: string, allowPrivate: boolean): string | null {
  if (/[\s\p{Cc}]/u.test(url)) return 'Must not contain white space.'
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:\/\//i.test(url)) return 'Must be an https URL.'
  if (parsed.username !== '' || parsed.password !== '' || hasUserInfo(url))
    return 'Must not contain credentials.'
  if (allowPrivate) return null
  if (parsed.protocol !== 'https:') return 'Must be an https URL.'
  return refusePublicHost(parsed.hostname.replace(/\.$/, ''))
}

/** The same of a host name alone, as the URL parser leaves it. */
export function refusePublicHost(host: string): string | null {
  const labels = host.split('.')
  const last = labels.at(-1)!
  if (host.startsWith('[') || /^(\d+|0x[\da-f]*)$/.test(last)) return 'Must name a host, not an IP address.'
  if (labels.length < 2 || labels.includes('') || PRIVATE_DOMAINS.includes(last)) {
    return 'Must name a public host.'
  }
  return null
}

/** An empty user name leaves no trace in the parsed URL. */
function hasUserInfo(url: string): boolean {
  const authority = /^https?:[/\\]*([^/\\?#]*)/i.exec(url)?.[1] ?? ''
  return authority.includes('@')
}
