import { openDb, type Statement } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { loadWaiting } from './load-waiting.ts'
import { promoteWaiting } from './promote-waiting.ts'
import { insertFreedWhole } from './statements.ts'

/**
 * A change of what an event type offers, in its object's turn: whoever waits is booked where it opened time. The
 * change commits `mark` with itself, so that the next one in the object finds it if this turn ends too early.
 */
export async function changeOffer<T>(
  workplace: Workplace,
  eventTypeId: string,
  now: number,
  change: (mark: Statement) => Promise<T>,
): Promise<T> {
  const db = openDb(workplace.env, 'decide')
  const before = await loadWaiting(db, eventTypeId, null, now)
  const source = newId()
  const result = await change(insertFreedWhole(db, eventTypeId, source))
  if (before) {
    const change = { source, before: before.schedule }
    await promoteWaiting(workplace, eventTypeId, now, { change })
  }
  return result
}
