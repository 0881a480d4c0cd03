import { withAsciiDomain } from '../../platform/email/ascii-domain.ts'

const OF_GMAIL = /^(gmail|googlemail)\.com$/

/**
 * The mailbox of an address, for counting: lower case, without what follows a plus. DNS accepts many spellings of one
 * domain, such as full-width characters. Gmail has two domains and ignores dots.
 */
export function mailboxOf(email: string): string {
  const plain = withAsciiDomain(email.normalize('NFKC').toLowerCase())
  const at = plain.lastIndexOf('@')
  const local = plain.slice(0, at).replace(/^([^+]+)\+.*$/, '$1')
  const domain = plain.slice(at + 1)
  return OF_GMAIL.test(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
