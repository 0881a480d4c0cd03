import { mailboxOf } from './mailbox.ts'
import type { Person } from './sender.ts'

/** The people who have an address, each mailbox once. */
export function onceEach(people: readonly Person[]): readonly Person[] {
  const byMailbox = new Map(people.toReversed().map((person) => [mailboxOf(person.email), person]))
  return people.filter((person) => person.email !== '' && byMailbox.get(mailboxOf(person.email)) === person)
}
