import { sendJson } from './http.ts'
import type { Service } from './service.ts'
import { monthOf } from './subject.ts'
import { table } from './table.ts'
import { createTeam, holdAt, type Slots, STRATEGIES } from './teams.ts'

const HOSTS = 500
const AT_ONCE = 8
const CHANGES = 20
/** What V8 may keep. An isolate of production has 128 MB for everything. */
const HEAP_MB = Number(process.env.HEAP_MB ?? 64)

type Open = () => Promise<Service>

/**
 * A month of eight event types of the same large team, asked about at once by a runtime that ends if it needs more memory than
 * this: known to nobody, and again after each of some changes of a host.
 */
export async function benchHeap(open: Open): Promise<string[]> {
  const types = Array.from({ length: AT_ONCE }, (_, at) => STRATEGIES[at % STRATEGIES.length]!)
  const flags = process.env.MINIFLARE_WORKERD_V8_FLAGS
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${HEAP_MB}`
  const service = await open()
  try {
    const team = await createTeam(service, HOSTS, types)
    const askAll = () => Promise.all(team.types.map((id) => sendJson<Slots>(monthOf(service.url, id))))
    const cold = await askAll()
    let changed = cold
    for (let round = 0; round < CHANGES; round++) {
      await holdAt(service.url, team, team.one, round * 37)
      changed = await askAll()
    }
    const startsOf = (answers: readonly Slots[]) =>
      answers.map(({ slots }) => slots.length.toLocaleString('en')).join(' ')
    return table(
      [`Open starts of ${AT_ONCE} event types of ${HOSTS} hosts, in ${HEAP_MB} MB`, 'Answers at once'],
      [
        ['Cold', startsOf(cold)],
        [`After each of ${CHANGES} changes`, startsOf(changed)],
      ],
    )
  } finally {
    if (flags === undefined) delete process.env.MINIFLARE_WORKERD_V8_FLAGS
    else process.env.MINIFLARE_WORKERD_V8_FLAGS = flags
    await service.stop()
  }
}
