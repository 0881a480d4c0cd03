import type { Env } from '../../env.ts'
import { type Problem, problem } from '../reasons/reason.ts'
import { invalid } from './errors.ts'
import { refusePublicHost, refusePublicUrl } from './public-url.ts'

/** Where a developer's own browser finds what the developer is building. */
const LOOPBACK = ['localhost', '127.0.0.1']

/** The hosts (`app.example.com`, `localhost:3000`) that people may be sent back to; by default our own. */
export function redirectHostsOf(env: Env, own: readonly string[] | null): readonly string[] {
  return own ?? [new URL(env.PUBLIC_URL).host]
}

/** Why people may not be sent to any page of `host` (in lower case), or null when they may. */
export function refuseRedirectHost(env: Env, host: string): Problem | null {
  const url = URL.parse(`http://${host}/`)
  // What a URL parser changes (`a.example/x`, `0x7f.1`, `user@a.example`) is not a host name.
  const isHost = /^[a-z0-9.-]+(:[0-9]{1,5})?$/.test(host) && url !== null && !host.startsWith('.')
  if (!isHost || url.host !== host) return problem('not_a_host')
  if (env.ALLOW_PRIVATE_HOSTS === 'true' || LOOPBACK.includes(url.hostname)) return null
  if (host.includes(':')) return problem('has_port')
  return refusePublicHost(host)
}

/** Why people may not be sent to `redirectUrl`, or null when they may. Plain http is for this machine only. */
export function refuseRedirect(env: Env, hosts: readonly string[], redirectUrl: string): Problem | null {
  const url = URL.parse(redirectUrl)
  const isLoopback = url !== null && LOOPBACK.includes(url.hostname)
  const refusal = refusePublicUrl(redirectUrl, env.ALLOW_PRIVATE_HOSTS === 'true' || isLoopback)
  if (refusal !== null) return refusal
  return hosts.includes(url!.host) ? null : problem('foreign_host')
}

/** Throws a `validation_error` when people must not be sent to `redirectUrl` afterwards. */
export function assertRedirect(
  env: Env,
  own: readonly string[] | null,
  redirectUrl: string | undefined,
): void {
  if (redirectUrl === undefined) return
  const refusal = refuseRedirect(env, redirectHostsOf(env, own), redirectUrl)
  if (refusal !== null) throw invalid({ redirect_url: refusal })
}
