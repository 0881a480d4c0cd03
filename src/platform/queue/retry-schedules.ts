import { SECOND_MS } from '../../core/time-units.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** What a calendar or a provider of meetings did not take: for a good day. */
const PATIENT = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR]

/** Seconds to wait after the first, second … failure. What fails once more is given up. */
const ENDING = {
  email: [30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR],
  // A reminder that comes hours late is of no use.
  text: [30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  calendarWrite: PATIENT,
  meeting: PATIENT,
  // An email waits for the link, so the first retries come sooner.
  awaitedLink: [10, 20, 30, 30, ...PATIENT.slice(1)],
  payment: [
    30,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
  ],
  refund: [30, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
  delivery: [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
} as const satisfies Record<string, readonly number[]>

/** The same for what is never given up: after the last wait, that one again. */
const LASTING = {
  message: [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  // The sweep comes once a minute, so a calendar is asked at least every five.
  sync: [MINUTE, 2 * MINUTE, 230],
} as const satisfies Record<string, readonly number[]>

type Ending = keyof typeof ENDING

/** The attempts after which nothing more is tried. */
export function mostAttempts(what: Ending): number {
  return ENDING[what].length + 1
}

/**
 * Seconds until the next attempt after so many, which is never sooner than the other side asked for, within a day;
 * null to give up.
 */
export function retrySeconds(what: Ending, attempts: number, askedSeconds = 0): number | null {
  const seconds: readonly number[] = ENDING[what]
  const wait = seconds[attempts - 1]
  return wait === undefined ? null : Math.min(Math.max(wait, askedSeconds), 24 * HOUR)
}

const JITTER = 0.1

/**
 * The instant of the next attempt, in the same way. Where the other side asked for a longer wait, it asked that of others
 * too: `random`, which is from 0 to 1, spreads them over a tenth more.
 */
export function retryAt(
  what: Ending,
  attempts: number,
  now: number,
  askedMs = 0,
  random = Math.random(),
): number | null {
  const [usual, seconds] = [retrySeconds(what, attempts), retrySeconds(what, attempts, askedMs / SECOND_MS)]
  if (usual === null || seconds === null) return null
  const factor = seconds > usual ? 1 + JITTER * random : 1
  return now + Math.round(seconds * SECOND_MS * factor)
}

/** `retryAt`, with what failed together spread over a tenth to either side by `random`, which is from 0 to 1. */
export function scatteredRetryAt(what: Ending, attempts: number, now: number, random: number): number | null {
  const seconds = retrySeconds(what, attempts)
  return seconds === null ? null : now + Math.round(seconds * SECOND_MS * (1 - JITTER + 2 * JITTER * random))
}

/** Seconds until the next attempt of what is never given up. */
export function pauseSeconds(what: keyof typeof LASTING, failures: number): number {
  const seconds: readonly number[] = LASTING[what]
  return seconds[failures - 1] ?? seconds.at(-1)!
}
