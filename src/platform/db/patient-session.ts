import type { Deadline } from './deadline.ts'
import { isBlip } from './passing-failure.ts'
import type { Patience } from './patience.ts'

/** What may be asked twice: whatever only reads, and what counts calls, where one too many harms nobody. */
const HARMLESS = /^\s*(select\b|insert into "public_counts")/i
const MAX_PAUSE_MS = 100

/** So that those who failed together do not meet again at once. */
export function pauseABit(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS))
}

/** For what may happen twice, as only its caller knows: a blip does not fail it. */
export async function onceMore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isBlip(error)) throw error
  }
  await pauseABit()
  return ask()
}

/**
 * A session in which a blip fails no read. What changes anything is asked once: only its caller knows what a second time does.
 * Nothing in it is waited for longer than `patience` lasts, or until the `deadline` of whoever asks.
 */
export function patientSession(
  session: D1DatabaseSession,
  patience: Patience,
  deadline: Deadline | undefined,
): D1Database {
  const within: Within = (ask) => patience.with(ask, deadline?.leftMs())
  return {
    prepare: (query: string) => new PatientStatement(session.prepare(query), HARMLESS.test(query), within),
    batch: (statements: readonly PatientStatement[]) => {
      const ask = () => within(() => session.batch(statements.map(({ statement }) => statement)))
      return statements.every(({ isHarmless }) => isHarmless) ? onceMore(ask) : ask()
    },
  } as unknown as D1Database
}

type Within = <T>(ask: () => Promise<T>) => Promise<T>

class PatientStatement {
  readonly statement: D1PreparedStatement
  readonly isHarmless: boolean
  readonly #within: Within

  constructor(statement: D1PreparedStatement, isHarmless: boolean, within: Within) {
    this.statement = statement
    this.isHarmless = isHarmless
    this.#within = within
  }

  bind(...values: unknown[]): PatientStatement {
    return new PatientStatement(this.statement.bind(...values), this.isHarmless, this.#within)
  }

  all() {
    return this.#ask(() => this.statement.all())
  }

  raw() {
    return this.#ask(() => this.statement.raw())
  }

  run() {
    return this.#ask(() => this.statement.run())
  }

  #ask<T>(ask: () => Promise<T>): Promise<T> {
    const within = () => this.#within(ask)
    return this.isHarmless ? onceMore(within) : within()
  }
}
