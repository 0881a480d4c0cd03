import type { Random } from '../random.js'
import type { EventType, Feature, Person } from '../types.d.ts'
import type { Watched } from '../watch.js'

export type World = {
  readonly watched: Watched
  readonly random: Random
  /** Midnight UTC of a day that is open around the clock, some days ahead. */
  readonly day: number
  readonly minute: number
  /** Runs one act for each caller, all at once, in a random order. */
  everybody(act: (person: Person, at: number) => Promise<unknown>): Promise<void>
  /** Somebody who takes part in nothing else. */
  somebody(): Person
}

export type Storm = {
  readonly name: string
  readonly title: string
  readonly needs: readonly Feature[]
  /** `fullUse` is false where something was given back, so that a refusal may have been right at its time. */
  run(world: World): Promise<{ readonly eventTypes: readonly EventType[]; readonly fullUse?: boolean }>
}
