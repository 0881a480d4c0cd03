import * as z from 'zod'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { formatNullable } from '../../http/instants.ts'
import type { RealMs } from '../../limits/clock.ts'
import { findBacklog, MOST_COUNTED } from './queries.ts'

const Count = z.int().min(0).max(MOST_COUNTED)

export const OperatorHealth = z
  .object({
    backlog: z.object({
      outbox: Count.meta({ description: 'Events that nobody handled yet.' }),
      letters: Count,
      deliveries: Count,
      calendar_syncs: Count,
    }),
    oldest_age_seconds: z.int().min(0).meta({ description: 'How long the oldest of these is due.' }),
    last_sweep_at: z.iso.datetime().nullable(),
    databases: z.array(z.object({ name: z.string(), size_bytes: z.int() })),
  })
  .meta({
    id: 'OperatorHealth',
    description: `What is due and not done, each up to ${MOST_COUNTED.toLocaleString('en')}, and how large the databases are.`,
    example: {
      backlog: { outbox: 0, letters: 0, deliveries: 2, calendar_syncs: 0 },
      oldest_age_seconds: 4,
      last_sweep_at: '2026-03-02T09:00:01.000Z',
      databases: [{ name: 'DB', size_bytes: 1_234_944 }],
    },
  })

/** What an operator should be woken for. */
export async function operatorHealth(env: Env, now: RealMs): Promise<z.output<typeof OperatorHealth>> {
  const { outbox, letters, deliveries, syncs, sweptAt, bytes } = await findBacklog(openDb(env, 'decide'), now)
  const oldest = Math.min(...[outbox, letters, deliveries, syncs].map(({ since }) => since ?? now))
  return {
    backlog: {
      outbox: outbox.count,
      letters: letters.count,
      deliveries: deliveries.count,
      calendar_syncs: syncs.count,
    },
    oldest_age_seconds: Math.max(0, Math.floor((now - oldest) / 1000)),
    last_sweep_at: formatNullable(sweptAt),
    databases: [{ name: 'DB', size_bytes: bytes }],
  }
}
