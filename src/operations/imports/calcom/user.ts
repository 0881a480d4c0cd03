import type { Person } from '../source.ts'

/** Somebody there. */
export type User = Person & { readonly id: number }
