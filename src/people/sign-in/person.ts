import type { SessionRow } from './queries.ts'

/** Whom a session stands for: everybody with an address, or one member. */
export type Person = Pick<SessionRow, 'email' | 'memberId'>
