import { onTestFinished, vi } from 'vitest'

export type Patience = {
  /** Ends every wait of that length, those to come at once. */
  readonly lose: () => void
  readonly regain: () => void
}

/**
 * Whoever would wait exactly so many `ms` for something, by a timer or a signal, waits until the test says that it took too long.
 * Who waits any other time does so in earnest, so a test also fails where the patience is not the one that it names.
 */
export function patienceOf(...ms: readonly number[]): Patience {
  const { setTimeout } = globalThis
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  let isLost = false
  // It looks again and again by itself, for nobody may act on behalf of another request.
  const waitFor = (end: () => void) => {
    const look = () => (isLost ? end() : setTimeout(look, 10))
    return setTimeout(look, 0)
  }
  const signals = vi.spyOn(AbortSignal, 'timeout').mockImplementation((asked) => {
    if (!ms.includes(asked)) return timeout(asked)
    const controller = new AbortController()
    waitFor(() => controller.abort(new DOMException('It took too long.', 'TimeoutError')))
    return controller.signal
  })
  const timers = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((act: (...given: unknown[]) => void, asked?: number, ...given: unknown[]) =>
      asked !== undefined && ms.includes(asked)
        ? waitFor(() => act(...given))
        : setTimeout(act, asked, ...given)) as never)
  const lose = () => {
    isLost = true
  }
  const regain = () => {
    isLost = false
  }
  onTestFinished(() => {
    lose()
    signals.mockRestore()
    timers.mockRestore()
  })
  return { lose, regain }
}
