import { run } from '../support/run.ts'
import { makeWorld } from '../support/storm/world.ts'
import { OVERTAKEN } from './audit-emails.ts'
import type { World } from './kinds.ts'

/** One organization of the storms as the auditor of a soak knows it. */
export async function auditedWorld(): Promise<{ readonly world: World; readonly key: string }> {
  const { organization, members, types, key } = await makeWorld(false)
  for (const trigger of OVERTAKEN) await run(trigger)
  const ids = {
    classId: types[3]!,
    soonId: types[3]!,
    paidId: types[3]!,
    calendarTypeId: types[3]!,
    textId: types[3]!,
  }
  const none = { connectionId: '', roomId: '', hook: '/' }
  return { world: { organizations: [{ id: organization.id, members, types, ...ids, ...none }] }, key }
}
