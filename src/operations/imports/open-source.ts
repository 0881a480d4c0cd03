import type { Env } from '../../env.ts'
import type { ImportSource } from '../../platform/db/schema/import-jobs.ts'
import { send } from '../../platform/transport/fetch.ts'
import type { Asking } from './ask-source.ts'
import { CALCOM_API, openCalcom } from './calcom/open-calcom.ts'
import { CALENDLY_API, openCalendly } from './calendly/open-calendly.ts'
import type { Clock } from './clock.ts'
import type { Source } from './source.ts'

/** How long a request waits for its turn, where it may wait. */
export type Patience = Pick<Asking, 'tries' | 'wait'>

/** A request that somebody waits for: once. */
export const IMPATIENT: Patience = { tries: 1, wait: async () => {} }

export function patientBy(clock: Clock): Patience {
  return { tries: 6, wait: (ms) => clock.start(ms).passed }
}

/** An account of another service, by its secret. */
export function openSource(
  env: Env,
  name: ImportSource,
  secret: string,
  now: number,
  patience: Patience,
): Source {
  const asking = (base: string) => ({ fetch: send, base, ...patience })
  return name === 'calendly'
    ? openCalendly(asking(env.CALENDLY_API_BASE || CALENDLY_API), secret, now)
    : openCalcom(asking(env.CALCOM_API_BASE || CALCOM_API), secret, now)
}
