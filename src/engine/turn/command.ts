import type { Env } from '../../env.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import type { Outcome } from './outcome.ts'

declare const INPUT: unique symbol
declare const RESULT: unique symbol

/** Something that an event type's object can be asked to do. Input and result are plain data. */
export type Command<Input, Result> = {
  readonly name: string
  readonly [INPUT]?: (input: Input) => void
  readonly [RESULT]?: Result
}

export function defineCommand<Input, Result>(name: string): Command<Input, Result> {
  return { name }
}

/** What the object of an event type answers to; `src/worker/objects` has the class. */
type EventTypeCalls = {
  run(name: string, input: unknown, leftMs?: number): Promise<unknown>
  /** The event type is about to be deleted: nothing is known of it. */
  forget(): Promise<void>
}

/** Asks the event type's object, which takes one command after another, and gives its result. It has what is left of the patience of `env`. */
export async function askEventType<Input, Result>(
  env: Env,
  eventTypeId: string,
  { name }: Command<Input, Result>,
  input: Input,
): Promise<Result> {
  const result = await objectOf(env, eventTypeId).run(name, input, env.deadline?.leftMs())
  noteOrganization(env, (result as Outcome<unknown> | undefined)?.organizationId)
  return result as Result
}

/** Has the object forget what it knew: an event type of that id that comes again is another one. */
export function forgetEventType(env: Env, eventTypeId: string): Promise<void> {
  return objectOf(env, eventTypeId).forget()
}

function objectOf(env: Env, eventTypeId: string): EventTypeCalls {
  return env.EVENT_TYPES.getByName(eventTypeId) as unknown as EventTypeCalls
}
