import type { PublicCaller } from '../platform/auth/caller.ts'
import type { Context } from '../platform/http/context.ts'
import type { Locale } from '../platform/i18n/locale.ts'

/** What every page knows about the visit. */
export type Page = {
  readonly ctx: Context<PublicCaller>
  readonly url: URL
  readonly locale: Locale
  /** The visitor's zone: chosen, else the browser's, else a guess from the network address, else unknown. */
  readonly zone: string | null
  /** As the browser named its own, though nothing can be shown in it; empty where it named none. */
  readonly zoneTold: string
  readonly isZoneKnown: boolean
  readonly isZoneChosen: boolean
  /** Shown in a frame on another site, which is notified of what happens. */
  readonly isEmbedded: boolean
  /** The static files by the version that is deployed. */
  readonly assetVersion: string
  /** The nonce of the one style element that carries the colors. */
  readonly nonce: string
  /** How the site around it wants it to look: its mode, its color, and only the choice of a time. */
  readonly theme: 'light' | 'dark' | null
  readonly color: string | null
  readonly hidesDetails: boolean
  /** Choices to remember: cookies to set. */
  readonly cookies: readonly string[]
}

export type Params = Readonly<Record<string, string>>
export type Handler = (page: Page, params: Params) => Promise<Response>
