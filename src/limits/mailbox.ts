/** What an address is counted by: its mailbox, without letter case and without what follows a plus. */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/^([^+]+)\+.*@/, '$1@')
}
