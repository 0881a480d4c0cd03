import { withAsciiDomain } from '../../providers/email/ascii-domain.ts'

/**
 * What an address is counted by: its mailbox, without letter case and without what follows a plus. DNS knows many spellings
 * of one domain, such as letters in another width.
 */
export function mailboxOf(email: string): string {
  return withAsciiDomain(email.toLowerCase()).replace(/^([^+]+)\+.*@/, '$1@')
}
