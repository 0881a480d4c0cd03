import fc from 'fast-check'
import { amount, SEED } from './chance.ts'

fc.configureGlobal({ seed: SEED })

/** How often a property is tried: a soak tries twenty times as often. */
export function runs(inTest = 100): { readonly numRuns: number } {
  return { numRuns: amount(inTest, inTest * 20) }
}
export { fc }
