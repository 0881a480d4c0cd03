import type { SessionRow } from './queries.ts'

/** Whom a session represents: everybody with an address, or one member. */
export type Person = Pick<SessionRow, 'email' | 'memberId'>
