import type { Env } from '../../env.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { type GiveBack, prepareToGiveBack } from './accounts/give-back.ts'
import { deleteAccount, selectAccountsOfMember } from './accounts/queries.ts'

/** For the batch that removes a member: deletes their accounts, whose permissions are revoked afterwards. */
export async function prepareToDisconnect(
  env: Env,
  db: Db,
  member: { readonly id: string; readonly organizationId: string },
): Promise<{ readonly statements: Statement[]; readonly giveBack: GiveBack }> {
  const accounts = await selectAccountsOfMember(db, member.organizationId, member.id)
  const all = await Promise.all(accounts.map((account) => prepareToGiveBack(env, account)))
  return {
    statements: accounts.map(({ id }) => deleteAccount(db, id)),
    giveBack: async () => {
      for (const giveBack of all) await giveBack()
    },
  }
}
