/** RFC 5321, section 4.5.3.1: the longest path and the longest local part that every mail system takes. */
const MAX_OCTETS = 254
const MAX_LOCAL_OCTETS = 64

type Patterns = Readonly<Record<'dotAtom' | 'plain' | 'domainName' | 'host', RegExp>>

/** Built for the first address: the engine looks up every class of Unicode in them, which takes milliseconds. */
let patterns: Patterns | null = null

function buildPatterns(): Patterns {
  // `atext` of RFC 5322, section 3.2.3, and everything beyond ASCII (RFC 6532, section 3.2).
  const atom = "(?:[\\w!#$%&'*+/=?^`{|}~-]|[^\\x00-\\x7f])+"
  const label = '[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?'
  return {
    dotAtom: new RegExp(`^${atom}(?:\\.${atom})*$`, 'u'),
    // Beyond ASCII only these: no white space, no control, nothing that looks like an `@`, a comma or a bracket.
    plain: /^[\p{ASCII}\p{L}\p{M}\p{N}\p{So}\u00b7]*$/u,
    domainName: new RegExp(`^${label}(?:\\.${label})+$`, 'u'),
    // As DNS knows it. A last label of digits would be an IP address.
    host: /^(?=.{1,253}$)(?:[a-z\d-]{1,63}\.)+(?!\d+$)[a-z\d-]{2,63}$/,
  }
}

/**
 * Whether mail systems take `text` as an address: a dot-atom and a domain with a dot, internationalized ones
 * too (RFC 6531). Quoted local parts and address literals are refused: hardly anybody has one, and headers break on them.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (at < 1 || octetsOf(text) > MAX_OCTETS || octetsOf(local) > MAX_LOCAL_OCTETS) return false
  patterns ??= buildPatterns()
  const { dotAtom, plain, domainName, host } = patterns
  // A character in another width, or one composed of several, is judged as its plain form.
  if (!plain.test(local) || !dotAtom.test(local) || !dotAtom.test(local.normalize('NFKC'))) return false
  return domainName.test(domain) && host.test(URL.parse(`http://${domain}`)?.hostname ?? '')
}

function octetsOf(text: string): number {
  return new TextEncoder().encode(text).byteLength
}
