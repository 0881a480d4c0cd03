import { type Env, urlAt } from '../../env.ts'
import { Refused } from '../../platform/http/errors.ts'
import { type OAuthConfig, readOAuthConfig } from '../oauth/oauth-config.ts'

export const PROVIDER = 'video_a'
export const CALLBACK_PATH = `/v1/conferencing/${PROVIDER}/callback`

export function configOf(env: Env): OAuthConfig {
  const config = readOAuthConfig(PROVIDER, env)
  if (config) return config
  const message = 'Zoom is not configured here: ZOOM_CLIENT_ID and ZOOM_CLIENT_SECRET are missing.'
  throw new Refused({ code: 'bad_request', message })
}

/** Whether its accounts can be connected here. */
export function isZoomOffered(env: Env): boolean {
  return readOAuthConfig(PROVIDER, env) !== null
}

/** Where the provider sends the owner back to; it is registered there. */
export function callbackUrl(env: Env): string {
  return urlAt(env, CALLBACK_PATH)
}
