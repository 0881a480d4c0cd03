import { contactOf } from '../../booking/bookings/clients/contact.ts'
import {
  dropClient,
  forgetPhone,
  rewriteNotes,
  selectNoted,
} from '../../booking/bookings/clients/statements.ts'
import { seal, unseal } from '../../platform/auth/secret.ts'
import { assertTime, type Erasing } from './erasing.ts'

const NOTES_A_PAGE = 100

/** What is known of them as a client, with all notes. Their bookings count for nobody once they are erased. */
export async function eraseClient({ env, db, tenant, counts }: Erasing, address: string): Promise<void> {
  const contact = await contactOf(env, address)
  const forgotten = address.includes('@') ? [] : [forgetPhone(db, tenant, contact)]
  const statements = dropClient(db, tenant, contact)
  const answers = await db.batch([...statements, ...forgotten])
  counts.clients += (answers[statements.length - 1] as unknown[]).length
}

/** Their address in notes about others. */
export async function eraseFromNotes({ env, db, tenant, person, until, counts }: Erasing): Promise<void> {
  const { ENCRYPTION_KEY: key } = env
  for (let after = ''; ; ) {
    assertTime(until)
    const page = await selectNoted(db, tenant, after, NOTES_A_PAGE)
    const cleared = page.map(async ({ id, notes }) => {
      const text = await unseal(key, notes!)
      const without = person.takenFrom(text)
      return without === text ? [] : [{ id, notes: notes!, cleared: await seal(key, without) }]
    })
    const rows = (await Promise.all(cleared)).flat()
    const done = rows.length === 0 ? [] : await rewriteNotes(db, JSON.stringify(rows))
    counts.clients += done.length
    // What was noted in the meantime is read again.
    if (done.length < rows.length) continue
    if (page.length < NOTES_A_PAGE) return
    after = page.at(-1)!.contact
  }
}
