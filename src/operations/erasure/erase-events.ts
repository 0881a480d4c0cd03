import { asParameters, type Erasing, inPages } from './erasing.ts'
import {
  findActivity,
  findDeliveries,
  findEvents,
  findSlotHolds,
  selectDeliveries,
  selectEvents,
} from './queries.ts'
import { clearActivity, clearDeliveries, clearEvents, clearSlotHolds } from './statements.ts'
import { withoutPerson } from './without-person.ts'

/** Removes them from the feed. Undelivered events are dropped. */
export async function eraseFromEvents(erasing: Erasing): Promise<void> {
  const { db, tenant, person, now, counts } = erasing
  const found = await findEvents(db, { tenant, needles: person.needles })
  await inPages(erasing, found, async (page) => {
    const read = await selectEvents(
      db,
      page.map(({ id }) => id),
    )
    const rows = read.flatMap(({ id, ...told }) => {
      const data = withoutPerson(told.data, person)
      const previous = withoutPerson(told.previous, person)
      const before = previous.value as typeof told.previous
      if (!data.isChanged && !previous.isChanged) return []
      const kept = before && data.isTheirs && 'reason' in before ? { ...before, reason: null } : before
      return [{ id, data: JSON.stringify(data.value), previous: kept && JSON.stringify(kept) }]
    })
    for (const list of asParameters(rows)) counts.events += (await clearEvents(db, list, now)).length
  })
}

/** The same in what was sent to endpoints, and in what these answered. */
export async function eraseFromDeliveries(erasing: Erasing): Promise<void> {
  const { db, tenant, person, counts } = erasing
  const found = await findDeliveries(db, { tenant, needles: person.needles })
  await inPages(erasing, found, async (page) => {
    const read = await selectDeliveries(
      db,
      page.map(({ id }) => id),
    )
    const rows = read.flatMap(({ id, payload, responseBody }) => {
      const { value, isChanged } = withoutPerson(JSON.parse(payload), person)
      const isAnswer = responseBody !== null && person.isIn(responseBody)
      return isChanged || isAnswer ? [{ id, payload: isChanged ? JSON.stringify(value) : payload }] : []
    })
    for (const list of asParameters(rows))
      counts.webhook_deliveries += (await clearDeliveries(db, list)).length
  })
}

/** And wherever else their address stands: in the log, and in what comes with a hold. */
export async function eraseFromTexts(erasing: Erasing): Promise<void> {
  const { db, tenant, person, counts } = erasing
  const sought = { tenant, needles: person.needles }
  const [logged, held] = await db.batch([findActivity(db, sought), findSlotHolds(db, sought)])
  await inPages(erasing, logged, async (page) => {
    const rows = page.flatMap(({ id, changes }) => {
      const { value, isChanged } = withoutPerson(changes, person)
      return isChanged ? [{ id, changes: JSON.stringify(value) }] : []
    })
    const { organizationId, isTest } = tenant
    for (const list of asParameters(rows))
      counts.activity += (await clearActivity(db, list, organizationId, Number(isTest))).length
  })
  await inPages(erasing, held, async (page) => {
    const rows = page.flatMap(({ id, metadata }) => {
      const isTold = person.isIn(JSON.stringify(metadata))
      return isTold ? [{ id, metadata: '{}' }] : []
    })
    for (const list of asParameters(rows)) counts.slot_holds += (await clearSlotHolds(db, list)).length
  })
}
