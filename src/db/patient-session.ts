import { isBlip } from './passing-failure.ts'
import type { Patience } from './patience.ts'

/** What may be asked twice: whatever only reads, and what counts calls, where one too many harms nobody. */
const HARMLESS = /^\s*(select\b|insert into "public_counts")/i
const MAX_PAUSE_MS = 100

/** So that those who failed together do not meet again at once. */
export function pauseABit(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS))
}

async function onceMore<T>(ask: () => Promise<T>): Promise<T> {
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
 * Nothing in it is waited for longer than `patience` lasts.
 */
export function patientSession(session: D1DatabaseSession, patience: Patience): D1Database {
  return {
    prepare: (query: string) => new PatientStatement(session.prepare(query), HARMLESS.test(query), patience),
    batch: (statements: readonly PatientStatement[]) => {
      const ask = () => patience.with(() => session.batch(statements.map(({ statement }) => statement)))
      return statements.every(({ isHarmless }) => isHarmless) ? onceMore(ask) : ask()
    },
  } as unknown as D1Database
}

class PatientStatement {
  readonly statement: D1PreparedStatement
  readonly isHarmless: boolean
  readonly #patience: Patience

  constructor(statement: D1PreparedStatement, isHarmless: boolean, patience: Patience) {
    this.statement = statement
    this.isHarmless = isHarmless
    this.#patience = patience
  }

  bind(...values: unknown[]): PatientStatement {
    return new PatientStatement(this.statement.bind(...values), this.isHarmless, this.#patience)
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
    const within = () => this.#patience.with(ask)
    return this.isHarmless ? onceMore(within) : within()
  }
}
