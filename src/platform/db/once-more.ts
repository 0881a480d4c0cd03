import { isBlip } from './passing-failure.ts'

const MAX_PAUSE_MS = 100

/** Keeps requests that failed together from being retried together. */
export function pauseABit(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS))
}

/** Retries once after a blip. Only for what may happen twice, which the caller knows. */
export async function onceMore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isBlip(error)) throw error
  }
  await pauseABit()
  return ask()
}
