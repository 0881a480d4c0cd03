import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SECOND_MS } from '../../core/time-units.ts'
import { Failure } from '../failure.ts'
import { readServiceKey } from '../settings.ts'

export type SmokeSettings = {
  /** The deployment, without a slash at its end. */
  readonly url: string
  readonly serviceKey: string
  /** For how long the queues and the cron may take. */
  readonly waitMs: number
}

/** The cron runs each minute, and a new one may take some minutes until it does. */
const WAIT_SECONDS = 180

const DEV_VARS = resolve(import.meta.dirname, '../../../.dev.vars')

const USAGE = `Use it like this, with the service key in the environment, so that no list of processes shows it:

  read -rs SERVICE_KEY && export SERVICE_KEY
  npm run smoke -- https://book.acme.com

For npm start the key of .dev.vars is used: npm run smoke -- http://localhost:8787

--wait SECONDS is how long it waits for queues and the cron (default ${WAIT_SECONDS}).`

/** What the command line and the environment say. The key is never repeated. */
export function smokeSettings(args: readonly string[], env: NodeJS.ProcessEnv): SmokeSettings {
  const { values, positionals } = parsed(args)
  const [address, ...others] = positionals
  if (address === undefined || others.length > 0) throw new Failure(`Name one deployment. ${USAGE}`)
  const waitSeconds = Number(values.wait ?? WAIT_SECONDS)
  if (!Number.isInteger(waitSeconds) || waitSeconds < 1) {
    throw new Failure('--wait must be a whole number of seconds from 1 on.')
  }
  const url = originOf(address)
  const given = env.SERVICE_KEY ?? (isHere(new URL(url)) ? readServiceKey(DEV_VARS) : '')
  // Several keys may be valid at a time; any of them will do.
  const serviceKey = given.split(',')[0]!.trim()
  if (serviceKey === '') throw new Failure(`SERVICE_KEY is not set. ${USAGE}`)
  return { url, serviceKey, waitMs: waitSeconds * SECOND_MS }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { wait: { type: 'string' } } })
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`)
  }
}

function originOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !(url.protocol === 'https:' || (isHere(url) && url.protocol === 'http:'))) {
    throw new Failure(`${address} is not an https address: the service key would be sent in the clear.`)
  }
  if (url.pathname !== '/' || url.search !== '' || url.username !== '') {
    throw new Failure(`${address} must be the address of the service alone: ${url.origin}`)
  }
  return url.origin
}

function isHere({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
