import { parseArgs } from 'node:util'

export type Options = {
  /** How many requests are sent, besides those that read, repeat and audit. */
  readonly operations: number
  readonly seed: number
  readonly clients: number
  /** How often every process of the service is killed in between. */
  readonly kills: number
  /** After so many it is enough, however many operations that were. */
  readonly minutes: number
}

const MANY_MINUTES = 100_000

export const USAGE = 'npm run soak -- [--operations N] [--seed S] [--clients C] [--kills K] [--minutes M]'

/** What the command line says. Throws an error that tells what is wrong with it. */
export function optionsOf(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const options = { operations: text, seed: text, clients: text, kills: text, minutes: text }
  const { values } = parseArgs({ args: [...args], options })
  const numberOf = (name: keyof typeof options, fallback: number, least: number) => {
    const number = Number(values[name] ?? fallback)
    if (!Number.isSafeInteger(number) || number < least) {
      throw new Error(`--${name} must be a whole number from ${least} on`)
    }
    return number
  }
  const operations = numberOf('operations', 20_000, 1)
  return {
    operations,
    seed: numberOf('seed', Date.now() % 1_000_000, 0),
    clients: numberOf('clients', 16, 1),
    kills: numberOf('kills', Math.ceil(operations / 1_000), 0),
    minutes: numberOf('minutes', MANY_MINUTES, 1),
  }
}
