import { MINUTE_MS } from '../../core/time-units.ts'
import { CalendarError, isEnd } from '../../platform/icalendar/calendar-error.ts'
import type { Fetch } from '../../platform/transport/fetch.ts'
import type { OAuthConfig } from './oauth-config.ts'
import { refreshTokens, type Tokens } from './tokens.ts'

/** One connected account. */
export type OAuthAccount = {
  readonly config: OAuthConfig
  readonly tokens: Tokens
  /** Stores renewed tokens. They are used only once stored, since the old ones may no longer work. */
  readonly onTokens: (tokens: Tokens) => Promise<void>
  /**
   * The tokens as they are kept now. Asked for before a renewal is given up: another request may have renewed
   * them at the same moment, and some providers take each refresh token once.
   */
  readonly loadTokens?: () => Promise<Tokens | null>
}

export type Access = {
  /** An access token that is good for at least a minute. */
  readonly token: () => Promise<string>
  /** Another one in place of `refused`, which the API no longer takes. */
  readonly renewedToken: (refused: string) => Promise<string>
}

const MARGIN_MS = MINUTE_MS

/** Renews the tokens of an account as needed, one renewal at a time. */
export function openAccess(account: OAuthAccount, send: Fetch): Access {
  let tokens = account.tokens
  let renewal: Promise<void> | null = null

  async function renew(): Promise<void> {
    try {
      const renewed = await refreshTokens(account.config, tokens, send)
      await account.onTokens(renewed)
      tokens = renewed
    } catch (error) {
      const hasEnded = error instanceof CalendarError && isEnd(error.failure)
      const kept = hasEnded ? await account.loadTokens?.() : null
      if (!kept || kept.refreshToken === tokens.refreshToken) throw error
      tokens = kept
    }
  }

  async function renewOnce(): Promise<string> {
    renewal ??= renew().finally(() => {
      renewal = null
    })
    await renewal
    return tokens.accessToken
  }

  return {
    token: async () => (tokens.expiresAt - Date.now() < MARGIN_MS ? await renewOnce() : tokens.accessToken),
    renewedToken: async (refused) =>
      tokens.accessToken === refused ? await renewOnce() : tokens.accessToken,
  }
}
