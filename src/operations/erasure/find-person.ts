import { unseal } from '../../platform/auth/secret.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { waitlistEntries } from '../../platform/db/schema/waitlist.ts'
import { assertTime, type Erasing } from './erasing.ts'
import { type Person, personOf, personWithPhone } from './person.ts'
import { selectPhones } from './queries.ts'

const AT_ONCE = 1000

/** Somebody by an address, or by a phone number in E.164. Numbers are sealed, so all of the organization are opened. */
export async function findPerson(
  { env, db, tenant, until }: Pick<Erasing, 'env' | 'db' | 'tenant' | 'until'>,
  address: string,
): Promise<Person> {
  if (!address.startsWith('+') || address.includes('@')) return personOf(address)
  const ids: string[] = []
  for (const table of [bookings, waitlistEntries]) {
    for (let after = ''; ; ) {
      assertTime(until)
      const page = await selectPhones(db, table, tenant, after, AT_ONCE)
      const numbers = await Promise.all(
        page.map(({ inviteePhone }) => unseal(env.ENCRYPTION_KEY, inviteePhone)),
      )
      ids.push(...page.filter((_, at) => numbers[at] === address).map(({ id }) => id))
      if (page.length < AT_ONCE) break
      after = page.at(-1)!.id
    }
  }
  return personWithPhone(address, ids)
}
