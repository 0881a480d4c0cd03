import { withAsciiDomain } from '../../platform/email/ascii-domain.ts'

const OF_GMAIL = /^(gmail|googlemail)\.com$/

/**
 * What an address is counted by: its mailbox, without letter case and without what follows a plus. DNS knows many spellings
 * of one domain, such as letters in another width; Gmail has two domains, and passes over dots.
 */
export function mailboxOf(email: string): string {
  const plain = withAsciiDomain(email.normalize('NFKC').toLowerCase())
  const at = plain.lastIndexOf('@')
  const local = plain.slice(0, at).replace(/^([^+]+)\+.*$/, '$1')
  const domain = plain.slice(at + 1)
  return OF_GMAIL.test(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
