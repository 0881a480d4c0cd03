import { mailboxOf } from '../../outbox/mail/mailbox.ts'
import { unseal } from '../../platform/auth/secret.ts'
import { assertTime, type Erasing, inPages } from './erasing.ts'
import { selectEmails, selectOutbox } from './queries.ts'
import { deleteEmailCounts, deleteEmails, deleteFiles, deleteOutbox } from './statements.ts'

const OUTBOX_A_PAGE = 100

/** The subjects of emails: the person's bookings, entries and events. */
export type Subjects = ReadonlySet<string>

/** Queued and undeliverable emails: those to the person, and those about their subjects. */
export async function eraseEmails(erasing: Erasing, subjects: Subjects): Promise<void> {
  const { env, db, tenant, person, now, counts } = erasing
  const { organizationId, isTest } = tenant
  await deleteEmailCounts(db, tenant, mailboxOf(person.email), now)
  if (isTest) return eraseOutbox(erasing, subjects)
  const read = await selectEmails(db, organizationId)
  const found = await Promise.all(
    read.map(async ({ id, recipient, subjectId, message }) => {
      const isTheirs = person.is(recipient) || (subjectId !== null && subjects.has(subjectId))
      return isTheirs || (await isInSealed(env.ENCRYPTION_KEY, message, person)) ? [id] : []
    }),
  )
  await inPages(erasing, found.flat(), async (page) => {
    counts.letters += (await deleteEmails(db, page)).length
  })
}

async function isInSealed(encryptionKey: string, sealed: string | null, person: Erasing['person']) {
  return sealed !== null && person.isIn(readable(await unseal(encryptionKey, sealed)))
}

/** What the sandbox would have sent. */
async function eraseOutbox(erasing: Erasing, subjects: Subjects): Promise<void> {
  const { env, db, tenant, person, until, counts } = erasing
  for (let after = ''; ; ) {
    assertTime(until)
    const page = await selectOutbox(db, tenant.organizationId, after, OUTBOX_A_PAGE)
    const found = await Promise.all(
      page.map(async ({ id, onceKey, recipient, subject, body }) => {
        const text = await unseal(env.ENCRYPTION_KEY, body)
        const isTheirs =
          onceKey.split('/').some((part) => subjects.has(part)) ||
          person.is(recipient) ||
          person.isIn(`${subject} ${readable(text)}`)
        return isTheirs ? [{ id, files: filesOf(text) }] : []
      }),
    )
    const theirs = found.flat()
    if (theirs.length > 0) {
      const ids = theirs.map(({ id }) => id)
      const files = theirs.flatMap((one) => one.files)
      const [deleted] = await db.batch([deleteOutbox(db, ids), deleteFiles(db, files)])
      counts.letters += deleted.length
    }
    if (page.length < OUTBOX_A_PAGE) return
    after = page.at(-1)!.id
  }
}

/** JSON inside JSON hides what follows a line break. */
function readable(text: string): string {
  return text.replaceAll(/\\+[nrt"]/g, ' ')
}

function filesOf(body: string): readonly string[] {
  const { attachments = [] } = JSON.parse(body) as { attachments?: readonly { file?: string }[] }
  return attachments.flatMap(({ file }) => (file === undefined ? [] : [file]))
}
