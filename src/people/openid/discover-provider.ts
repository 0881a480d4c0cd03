import { type AuthorizationServer, discoveryRequest, processDiscoveryResponse } from 'oauth4webapi'
import { HOUR_MS } from '../../core/time-units.ts'
import { OpenIdError, type Talk } from './openid-config.ts'
import { asOpenId } from './openid-failure.ts'
import { talkOptions } from './send-request.ts'

/** What a provider says of itself (OpenID Connect Discovery 1.0, section 3). */
export type Provider = AuthorizationServer

let known: { readonly issuer: string; readonly provider: Provider; readonly until: number } | null = null

/** What the provider says of itself, asked once an hour. Throws an OpenIdError. */
export async function discoverProvider(talk: Talk): Promise<Provider> {
  const { issuer } = talk.config
  if (known?.issuer === issuer && Date.now() < known.until) return known.provider
  const provider = await asOpenId(() => askProvider(talk))
  known = { issuer, provider, until: Date.now() + HOUR_MS }
  return provider
}

/** It is asked again the next time, and for its keys too. */
export function forgetProvider(): void {
  known = null
}

async function askProvider(talk: Talk): Promise<Provider> {
  const url = new URL(talk.config.issuer)
  const response = await discoveryRequest(url, talkOptions(talk))
  if (response.status !== 200) {
    throw new OpenIdError('misconfigured', `nothing about OIDC_ISSUER is found: status ${response.status}`)
  }
  const provider = await processDiscoveryResponse(url, response)
  const { authorization_endpoint, token_endpoint, jwks_uri } = provider
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri]) {
    const protocol = URL.parse(endpoint ?? '')?.protocol
    if (protocol !== 'https:' && !(protocol === 'http:' && talk.config.allowsHttp)) {
      throw new OpenIdError('misconfigured', 'the provider returns an address that is not https')
    }
  }
  return provider
}
