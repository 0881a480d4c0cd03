import * as z from 'zod'
import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { nameOfShard, shardsOf } from '../../platform/db/shards.ts'
import { formatNullable } from '../../platform/http/instants.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { type Due, findBacklog, MOST_COUNTED } from './queries.ts'

const Count = z.int().min(0).max(MOST_COUNTED)

export const OperatorHealth = z
  .object({
    backlog: z.object({
      outbox: Count.meta({ description: 'Events that are not handled yet.' }),
      letters: Count.meta({ description: 'Emails, and bookings that have a reminder to send.' }),
      deliveries: Count,
      calendar_syncs: Count,
    }),
    oldest_age_seconds: z.int().min(0).meta({ description: 'How long the oldest of these has been due.' }),
    last_sweep_at: z.iso.datetime().nullable(),
    databases: z.array(z.object({ name: z.string(), size_bytes: z.int().nullable() })).meta({
      description:
        '`size_bytes` is null while a database does not answer; the rest is about the others then.',
    }),
  })
  .meta({
    id: 'OperatorHealth',
    description: `Due work that is not done, each up to ${MOST_COUNTED.toLocaleString('en')}, and how large the databases are.`,
    example: {
      backlog: { outbox: 0, letters: 0, deliveries: 2, calendar_syncs: 0 },
      oldest_age_seconds: 4,
      last_sweep_at: '2026-03-02T09:00:01.000Z',
      databases: [
        { name: 'DB', size_bytes: 1_234_944 },
        { name: 'DB_1', size_bytes: 524_288 },
      ],
    },
  })

/** What an operator should be woken for, of all databases that answer. Throws where none does. */
export async function operatorHealth(env: Env, now: RealMs): Promise<z.output<typeof OperatorHealth>> {
  const homes = shardsOf(env)
  const asked = await Promise.allSettled(homes.map((home) => findBacklog(openDb(home, 'decide'), now)))
  const found = asked.map((each) => (each.status === 'fulfilled' ? each.value : null))
  const told = found.filter((each) => each !== null)
  if (told.length === 0) throw (asked[0] as PromiseRejectedResult).reason
  const count = (of: (backlog: Backlog) => Due) =>
    Math.min(
      MOST_COUNTED,
      told.reduce((sum, each) => sum + of(each).count, 0),
    )
  const due = told.flatMap(({ outbox, letters, deliveries, syncs }) => [outbox, letters, deliveries, syncs])
  const oldest = Math.min(...due.map(({ since }) => since ?? now))
  // The oldest of the last ones: one database that is not swept is what matters.
  const sweptAt = Math.min(...told.map((each) => each.sweptAt ?? 0))
  return {
    backlog: {
      outbox: count(({ outbox }) => outbox),
      letters: count(({ letters }) => letters),
      deliveries: count(({ deliveries }) => deliveries),
      calendar_syncs: count(({ syncs }) => syncs),
    },
    oldest_age_seconds: Math.max(0, Math.floor((now - oldest) / 1000)),
    last_sweep_at: formatNullable(sweptAt || null),
    databases: homes.map((home, at) => ({ name: nameOfShard(home), size_bytes: found[at]?.bytes ?? null })),
  }
}

type Backlog = Awaited<ReturnType<typeof findBacklog>>
