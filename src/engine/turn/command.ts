import type { Env } from '../../env.ts'
import type { Region } from '../../platform/db/regions.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import type { Outcome } from './outcome.ts'

declare const INPUT: unique symbol
declare const RESULT: unique symbol

/** A request to an event type's object. Input and result are plain data. */
export type Command<Input, Result> = {
  readonly name: string
  readonly [INPUT]?: (input: Input) => void
  readonly [RESULT]?: Result
}

export function defineCommand<Input, Result>(name: string): Command<Input, Result> {
  return { name }
}

/** The calls of an event type's object; the class is in `src/worker/objects`. */
type EventTypeCalls = {
  run(name: string, input: unknown, leftMs?: number): Promise<unknown>
  /** The event type is about to be deleted: its object forgets it. */
  forget(): Promise<void>
}

/**
 * Asks the event type's object, which runs one command after another. It has the time that is left of the deadline of
 * `env`.
 */
export async function askEventType<Input, Result>(
  env: Env,
  eventTypeId: string,
  { name }: Command<Input, Result>,
  input: Input,
): Promise<Result> {
  const result = await objectOf(env, eventTypeId).run(name, input, env.deadline?.leftMs())
  const { organizationId, rowsRead = 0 } = (result ?? {}) as Partial<Outcome<unknown>>
  noteOrganization(env, organizationId)
  if (env.tally) env.tally.rowsReadInObject += rowsRead
  return result as Result
}

/** Makes the object forget everything: an event type that is created again with that id is another one. */
export function forgetEventType(env: Env, eventTypeId: string): Promise<void> {
  return objectOf(env, eventTypeId).forget()
}

/** Creates the object in a region, unless it exists: its first call decides where it stays. */
export function placeObject(env: Env, eventTypeId: string, region: Region): Promise<void> {
  return objectOf(env, eventTypeId, region).forget()
}

function objectOf(env: Env, eventTypeId: string, region?: Region): EventTypeCalls {
  const options = region && { locationHint: region }
  return env.EVENT_TYPES.getByName(eventTypeId, options) as unknown as EventTypeCalls
}
