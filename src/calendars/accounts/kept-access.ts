import { send } from '../../platform/transport/fetch.ts'
import { type Access, openAccess } from '../oauth/access.ts'
import type { OAuthConfig } from '../oauth/oauth-config.ts'
import type { Tokens } from '../oauth/tokens.ts'

/** How the tokens of an account are kept: sealed, as its credentials. */
export type TokenStore = {
  seal(tokens: Tokens): Promise<string>
  /** Throws a CalendarError. */
  unseal(credentials: string): Promise<Tokens>
  /** What is kept now; null where there is nothing any more. */
  load(): Promise<string | null>
  /** Keeps renewed credentials in place of those before; false where others took their place meanwhile. */
  replace(before: string, after: string): Promise<boolean>
  /** They did, and are as good: the next to ask is to get those. */
  onOthers(): void
}

/** Renewed tokens are kept before they are used, for the old ones may no longer work. `credentials` tells what was kept last. */
export async function openKeptAccess(
  config: OAuthConfig,
  read: string,
  store: TokenStore,
): Promise<{ readonly access: Access; readonly credentials: () => string }> {
  let credentials = read
  const account = {
    config,
    tokens: await store.unseal(credentials),
    onTokens: async (tokens: Tokens) => {
      const renewed = await store.seal(tokens)
      if (await store.replace(credentials, renewed)) credentials = renewed
      else store.onOthers()
    },
    loadTokens: async () => {
      const now = await store.load()
      if (now === null) return null
      credentials = now
      return store.unseal(now)
    },
  }
  return { access: openAccess(account, send), credentials: () => credentials }
}
