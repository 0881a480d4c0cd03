import { parseArgs } from 'node:util'

export type Options = {
  /** How many requests are sent in all, besides those that read, repeat and audit. */
  readonly operations: number
  readonly seed: number
  readonly clients: number
  /** How many operations there are between two kills. */
  readonly killEvery: number
  /** After so many it is enough, however many operations that were. */
  readonly minutes: number
  /** How many operations share a database. */
  readonly piece: number
  /** Where finished pieces are kept, so that the next run continues; null keeps nothing. */
  readonly state: string | null
}

const MANY_MINUTES = 100_000
const OPERATIONS = 20_000

export const USAGE =
  'npm run soak -- [--operations N] [--seed S] [--clients C] [--kill-every K] [--minutes M] [--piece P] [--state FOLDER]'

/** What the command line says. Throws an error that says what is wrong with it. */
export function optionsOf(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const options = {
    operations: text,
    seed: text,
    clients: text,
    'kill-every': text,
    minutes: text,
    piece: text,
    state: text,
  }
  const { values } = parseArgs({ args: [...args], options })
  const numberOf = (name: keyof typeof options, fallback: number, least: number) => {
    const number = Number(values[name] ?? fallback)
    if (!Number.isSafeInteger(number) || number < least) {
      throw new Error(`--${name} must be a whole number from ${least} on`)
    }
    return number
  }
  return {
    operations: numberOf('operations', OPERATIONS, 1),
    seed: numberOf('seed', Date.now() % 1_000_000, 0),
    clients: numberOf('clients', 16, 1),
    killEvery: numberOf('kill-every', 1_000, 1),
    minutes: numberOf('minutes', MANY_MINUTES, 1),
    piece: numberOf('piece', OPERATIONS, 1),
    state: values.state ?? null,
  }
}
