import { isPassing } from './passing-failure.ts'

/** A transaction with more statements is no longer short. */
const MOST_STATEMENTS = 100

/** Statements of one caller: all of them are committed or none. */
type Rider<Asked> = {
  readonly asked: readonly Asked[]
  readonly arrive: (results: D1Result[]) => void
  readonly fail: (error: unknown) => void
}

/**
 * Callers that query while a round trip is under way share the next one. Each gets its own results or its own refusal: if the
 * database refuses one of them, it refused all who shared the round trip, and each of those queries runs alone.
 */
export class SharedTrips<Asked> {
  readonly #ask: (asked: readonly Asked[]) => Promise<D1Result[]>
  readonly #waiting: Rider<Asked>[] = []
  #isUnderWay = false

  constructor(ask: (asked: readonly Asked[]) => Promise<D1Result[]>) {
    this.#ask = ask
  }

  ride(asked: readonly Asked[]): Promise<D1Result[]> {
    return new Promise((arrive, fail) => {
      this.#waiting.push({ asked, arrive, fail })
      if (!this.#isUnderWay) void this.#go()
    })
  }

  async #go(): Promise<void> {
    this.#isUnderWay = true
    // Those who begin together go together.
    await new Promise((go) => setTimeout(go, 0))
    while (this.#waiting.length > 0) await this.#carry(this.#nextRiders())
    this.#isUnderWay = false
  }

  #nextRiders(): readonly Rider<Asked>[] {
    let [riders, statements] = [1, this.#waiting[0]!.asked.length]
    for (const next of this.#waiting.slice(1)) {
      statements += next.asked.length
      if (statements > MOST_STATEMENTS) break
      riders += 1
    }
    return this.#waiting.splice(0, riders)
  }

  async #carry(riders: readonly Rider<Asked>[]): Promise<void> {
    try {
      const results = await this.#ask(riders.flatMap(({ asked }) => asked))
      let at = 0
      for (const { asked, arrive } of riders) {
        arrive(results.slice(at, at + asked.length))
        at += asked.length
      }
    } catch (error) {
      // If the answer was lost, they may have been committed.
      if (riders.length === 1 || isPassing(error)) for (const { fail } of riders) fail(error)
      else await Promise.all(riders.map((rider) => this.#carry([rider])))
    }
  }
}
