/** What an address is counted by: its mailbox, without letter case and without what follows a plus. */
export function mailboxOf(email: string): string {
  return withoutTag(email.toLowerCase())
}

export function withoutTag(email: string): string {
  return email.replace(/^([^+]+)\+.*@/, '$1@')
}
