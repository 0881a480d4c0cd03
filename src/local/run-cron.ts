import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '../core/time-units.ts'

/**
 * Runs the cron at once and at the beginning of each minute for as long as this process lives, since the local runtime knows
 * it and never runs it: without, no reminder is sent, no calendar is read again and nothing that failed is tried again.
 */
export async function runCron(url: string): Promise<never> {
  for (;;) {
    // The service logs what fails, and the next minute tries it again.
    await fetch(`${url}/cdn-cgi/local/scheduled`).then(
      (answer) => answer.text(),
      () => '',
    )
    await sleep(MINUTE_MS - (Date.now() % MINUTE_MS), undefined, { ref: false })
  }
}
