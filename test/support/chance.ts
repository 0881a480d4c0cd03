import { inject } from 'vitest'

export { chance } from './draws.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm test` always draws alike; `npm run storms` draws new cases, and more. */
    readonly chance: { readonly seed: number; readonly isSoak: boolean }
  }
}

const { seed, isSoak } = inject('chance')

export const SEED = seed
export const SOAK_TIMEOUT_MS = isSoak ? 3_600_000 : 300_000

/** How much a test does: what `npm test` has time for, and what `npm run storms` takes its time for. */
export function amount(inTest: number, inSoak: number): number {
  return isSoak ? inSoak : inTest
}
