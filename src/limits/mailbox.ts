/** What an address is counted by: one mailbox, however its letters are written and whatever stands behind a plus. */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/^([^+]+)\+.*@/, '$1@')
}
