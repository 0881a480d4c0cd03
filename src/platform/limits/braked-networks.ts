import { MINUTE_MS } from '../../core/time-units.ts'
import { windowStart } from './window.ts'

const MAX_NETWORKS = 1_000

let minute = 0
const braked = new Set<string>()

/**
 * Networks that sent too many invalid keys and tokens in this clock minute, as far as this isolate knows. `now` is the real
 * time.
 */
export function isBraked(network: string, now: number): boolean {
  return minute === windowStart(now, MINUTE_MS) && braked.has(network)
}

export function noteBraked(network: string, now: number): void {
  const current = windowStart(now, MINUTE_MS)
  if (minute !== current || braked.size >= MAX_NETWORKS) braked.clear()
  minute = current
  braked.add(network)
}
