import type { AccountMemory } from '../../src/calendars/accounts/account-keeper.ts'
import type { Renewal } from '../../src/calendars/accounts/opened-account.ts'
import type { Poll } from '../../src/calendars/sync/poll-plan.ts'

/** The storage of an account's object, without the object. */
export function accountMemory(): AccountMemory {
  let polls: Readonly<Record<string, Poll>> = {}
  let renewal: Renewal | null = null
  return {
    polls: {
      get: () => polls,
      put: async (now) => {
        polls = now
      },
    },
    renewals: {
      get: () => renewal,
      put: (now) => {
        renewal = now
      },
    },
  }
}
