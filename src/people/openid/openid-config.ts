import type { Fetch } from '../../platform/transport/fetch.ts'

/** This service's registration at a provider of OpenID Connect. */
export type OpenIdConfig = {
  /** As the provider calls itself, with or without a slash at the end. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  /** For local doubles only. */
  readonly allowsHttp: boolean
}

/** What one request to the provider is bound to. */
export type Talk = {
  readonly config: OpenIdConfig
  readonly send: Fetch
  /** Ends every wait for the provider. */
  readonly signal: AbortSignal
}

/**
 * Why nobody is known by the provider. `unavailable`: it did not answer, or asks to try later. `misconfigured`: only the
 * operator can mend it. `declined`: somebody said no there. `refused`: what came back proves nothing.
 */
export type OpenIdFailure = 'unavailable' | 'misconfigured' | 'declined' | 'refused'

/** Its message is for the operator's log and holds nothing of a person. */
export class OpenIdError extends Error {
  readonly failure: OpenIdFailure
  /** Whether only the address says so that somebody came by, which anybody can write. */
  readonly isHearsay: boolean

  constructor(failure: OpenIdFailure, message: string, isHearsay = false) {
    super(message)
    this.failure = failure
    this.isHearsay = isHearsay
  }
}
