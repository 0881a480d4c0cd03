import { asParameters, type Erasing, inPages } from './erasing.ts'
import { findPaymentKeys, findRefunds, findSupportRequests, findTimeOff } from './queries.ts'
import { clearPaymentKeys, clearRefundTexts, clearSupport, clearTimeOff } from './statements.ts'

/** Takes their address out of what people of the organization typed, and out of the keys that programs made of it. */
export async function eraseFromTyped(erasing: Erasing): Promise<void> {
  const { db, tenant, person, now, counts } = erasing
  const sought = { tenant, needles: person.needles }
  const [asked, off, refunded, keys] = await db.batch([
    findSupportRequests(db, sought),
    findTimeOff(db, sought),
    findRefunds(db, sought),
    findPaymentKeys(db, sought),
  ])
  const without = (text: string | null) => text && person.takenFrom(text)
  const isInKey = (key: string | null) => key !== null && person.takenFromKey(key) !== key
  await inPages(erasing, asked, async (page) => {
    const rows = page
      .filter(({ subject, message }) => person.isIn(subject) || person.isIn(message))
      .map(({ id, subject, message }) => ({ id, subject: without(subject), message: without(message) }))
    for (const list of asParameters(rows)) counts.support_requests += (await clearSupport(db, list)).length
  })
  await inPages(erasing, off, async (page) => {
    const rows = page
      .filter(({ reason, externalId }) => without(reason) !== reason || isInKey(externalId))
      .map(({ id, reason, externalId }) => ({
        id,
        reason: without(reason),
        externalId: externalId && person.takenFromKey(externalId),
      }))
    for (const list of asParameters(rows)) counts.time_off += (await clearTimeOff(db, list, now)).length
  })
  await inPages(erasing, refunded, async (page) => {
    const rows = page
      .filter(({ reason, claim }) => without(reason) !== reason || isInKey(claim))
      .map(({ id, reason, claim }) => ({ id, reason: without(reason), claim: isInKey(claim) ? null : claim }))
    for (const list of asParameters(rows)) counts.refunds += (await clearRefundTexts(db, list)).length
  })
  const theirs = keys.filter(({ keptKey }) => isInKey(keptKey)).map(({ id }) => id)
  await inPages(erasing, theirs, async (page) => {
    counts.kept_answers += (await clearPaymentKeys(db, JSON.stringify(page))).length
  })
}
