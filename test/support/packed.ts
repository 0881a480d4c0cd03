import { packedFortnight } from '../../src/engine/schedule/taken/queries.ts'
import { FORTNIGHT_MS } from '../../src/engine/schedule/taken/read-times.ts'
import { packHolds } from '../../src/engine/schedule/taken/statements.ts'
import type { chance } from './draws.ts'
import type { Ask } from './storm/sound.ts'

const PACK = packHolds({ connection: null } as never, '', '').toSQL().sql

/** Packs all that hosts of pools hold, as the questions of a large team do; of some event types only, if `draw` is given. */
export async function packAll(ask: Ask, draw?: ReturnType<typeof chance>): Promise<void> {
  const fortnights = await ask(`SELECT DISTINCT starts_at / ${FORTNIGHT_MS} AS one FROM holds`)
  const asked = JSON.stringify(fortnights.map(({ one }) => one))
  for (const { id } of await ask('SELECT DISTINCT event_type_id AS id FROM event_type_hosts ORDER BY 1')) {
    if (draw === undefined || draw.below(2) === 0) await ask(PACK, id, asked)
  }
}

/** Packed fortnights that are not what is held in them. */
export function unsoundPacks(ask: Ask): Promise<unknown[]> {
  const really = packedFortnight('p.resource_id', 'p.fortnight')
  return ask(`SELECT p.*, ${really} AS really FROM packed_holds p WHERE p.times IS NOT ${really}`)
}
