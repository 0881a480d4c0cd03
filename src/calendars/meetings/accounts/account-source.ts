import { openDb } from '../../../platform/db/client.ts'
import { othersOf } from '../../../platform/db/shards.ts'
import { CalendarError, isEnd } from '../../../platform/icalendar/calendar-error.ts'
import type { AccountSource } from '../../accounts/account-source.ts'
import { configOfAccounts } from '../../accounts/providers.ts'
import { type AccountRow, replaceCredentials, selectAccount } from './queries.ts'

export const meetingAccounts: AccountSource<AccountRow> = {
  connects: 'Zoom',
  find: async (db, id) => (await selectAccount(db, id))[0],

  async replaceCredentials(env, row, renewed) {
    const isReplaced = await replaceCredentials(openDb(env, 'decide'), row, renewed)
    // Accounts in other databases share the permission and would end without these tokens.
    const others = othersOf(env).map((home) => openDb(home, 'decide'))
    await Promise.allSettled(others.map((other) => replaceCredentials(other, row, renewed)))
    return isReplaced
  },

  sharing: () => '',

  async open(env, { status, error }, access) {
    if (isEnd(status)) {
      throw new CalendarError(status, error ?? 'The access to Zoom ended; connect once more.')
    }
    await access(configOfAccounts(env, 'video_a'))
    return null
  },
}
