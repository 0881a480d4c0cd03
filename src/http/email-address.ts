/** RFC 5321, section 4.5.3.1: the longest path and the longest local part that every mail system takes. */
const MAX_OCTETS = 254
const MAX_LOCAL_OCTETS = 64

/** `atext` of RFC 5322, section 3.2.3, and everything beyond ASCII (RFC 6532, section 3.2). */
const ATOM = "(?:[\\w!#$%&'*+/=?^`{|}~-]|[^\\x00-\\x7f])+"
const LOCAL = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u')
/** Beyond ASCII only these: no white space, no control, nothing that looks like an `@`, a comma or a bracket. */
const PLAIN = /^[\p{ASCII}\p{L}\p{M}\p{N}\p{So}\u00b7]*$/u
const LABEL = '[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?'
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`, 'u')
/** As DNS knows it. A last label of digits would be an IP address. */
const HOST = /^(?=.{1,253}$)(?:[a-z\d-]{1,63}\.)+(?!\d+$)[a-z\d-]{2,63}$/

/**
 * Whether mail systems take `text` as an address: a dot-atom and a domain with a dot, internationalized ones
 * too (RFC 6531). Quoted local parts and address literals are refused: hardly anybody has one, and headers break on them.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (at < 1 || octetsOf(text) > MAX_OCTETS || octetsOf(local) > MAX_LOCAL_OCTETS) return false
  // A character in another width, or one composed of several, is judged as its plain form.
  if (!PLAIN.test(local) || !LOCAL.test(local) || !LOCAL.test(local.normalize('NFKC'))) return false
  return DOMAIN.test(domain) && HOST.test(URL.parse(`http://${domain}`)?.hostname ?? '')
}

function octetsOf(text: string): number {
  return new TextEncoder().encode(text).byteLength
}
