import type { Env } from '../env.ts'
import { invalid, refuse } from '../platform/http/errors.ts'
import { refusePublicUrl } from '../platform/http/public-url.ts'
import type { CaldavPreset, ConnectCaldavInput } from './schema.ts'

/** The server of each preset; null where its operator must name it. */
const SERVERS: Readonly<Record<CaldavPreset, string | null>> = {
  caldav_preset_a: 'https://caldav.icloud.com/',
  caldav_preset_b: 'https://caldav.fastmail.com/',
  caldav_preset_c: null,
  caldav_preset_d: 'https://caldav.calendar.yahoo.com/',
  custom: null,
}

/** The server to ask. A `server_url` in the request takes precedence over the preset's own. */
export function serverOf(env: Env, { preset, server_url, calendar_url }: ConnectCaldavInput): string {
  if (!Object.hasOwn(SERVERS, preset)) {
    throw refuse('unknown_preset', { known: Object.keys(SERVERS) })
  }
  const server = server_url ?? SERVERS[preset as CaldavPreset]
  if (!server) throw refuse('preset_needs_server', { preset })
  for (const [field, url] of Object.entries({ server_url, calendar_url })) {
    const refusal = url === undefined ? null : refusePublicUrl(url, env.ALLOW_PRIVATE_HOSTS === 'true')
    if (refusal !== null) throw invalid({ [field]: refusal })
  }
  return server
}

/** One form for the many spellings of an account's address. */
export function accountKeyOf(server: string, username: string): string {
  const { host } = new URL(server)
  return `caldav ${host.replace(/\.$/, '')} ${username.trim().toLowerCase()}`
}
