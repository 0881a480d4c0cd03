import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

type Process = { readonly parent: number; readonly ms: number; readonly name: string }

function processes(): ReadonlyMap<number, Process> {
  const found = new Map<number, Process>()
  for (const id of readdirSync('/proc')) {
    if (!/^\d+$/.test(id)) continue
    try {
      const text = readFileSync(`/proc/${id}/stat`, 'utf8')
      const [name, rest] = [
        text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
        text.lastIndexOf(')') + 2,
      ]
      const fields = text.slice(rest).split(' ')
      const ticks = Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])
      found.set(Number(id), { parent: Number(fields[1]), ms: ticks * TICK_MS, name })
    } catch {
      // It ended in between.
    }
  }
  return found
}

/** The CPU time so far of these processes and all that they started, in milliseconds; only Linux tells it. */
export function cpuOf(roots: readonly number[]): number {
  if (process.platform !== 'linux') return Number.NaN
  const all = processes()
  const isOf = (id: number): boolean => roots.includes(id) || (all.has(id) && isOf(all.get(id)!.parent))
  return [...all].reduce((sum, [id, { ms }]) => (isOf(id) ? sum + ms : sum), 0)
}

/** The runtimes that this process runs, one for each service and the Workers beside it. */
export function runtimesOfThisProcess(): number[] {
  return [...processes()].flatMap(([id, { parent, name }]) =>
    parent === process.pid && name === 'workerd' ? [id] : [],
  )
}

export function runtimeOfThisProcess(): number {
  const [id] = runtimesOfThisProcess()
  if (id === undefined) throw new Error('no runtime runs')
  return id
}
