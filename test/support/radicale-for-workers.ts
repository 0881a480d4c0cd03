import type { TestProject } from 'vitest/node'
import { isOnPath } from '../system/packages.ts'
import { startCaldavDouble } from './caldav-double.ts'
import { type Radicale, startRadicale } from './radicale.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A real CalDAV server, with the accounts of `caldav.ts`. */
    readonly radicale: string
    /** Where CalDAV servers misbehave, by path. */
    readonly caldavDouble: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Most files do without it; `npm test` leaves the others out.
  const start: () => Promise<Radicale | null> = isOnPath('radicale') ? startRadicale : async () => null
  const [radicale, double] = await Promise.all([start(), startCaldavDouble()])
  project.provide('radicale', radicale?.url ?? 'http://127.0.0.1:9')
  project.provide('caldavDouble', double.url)
  return async () => {
    await Promise.all([radicale?.stop(), double.stop()])
  }
}
