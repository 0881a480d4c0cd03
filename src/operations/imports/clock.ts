/** A time that passes, unless it is stopped before. */
export type Timer = { readonly passed: Promise<void>; readonly stop: () => void }

export type Clock = {
  readonly now: () => number
  readonly start: (ms: number) => Timer
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  start(ms) {
    let timer: ReturnType<typeof setTimeout>
    const passed = new Promise<void>((done) => {
      timer = setTimeout(done, ms)
    })
    return { passed, stop: () => clearTimeout(timer) }
  },
}
