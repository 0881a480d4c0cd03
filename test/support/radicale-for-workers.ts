import type { TestProject } from 'vitest/node'
import { startCaldavDouble } from './caldav-double.ts'
import { startRadicale } from './radicale.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A real CalDAV server, with the accounts of `caldav.ts`. */
    readonly radicale: string
    /** Where CalDAV servers misbehave, by path. */
    readonly caldavDouble: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [radicale, double] = await Promise.all([startRadicale(), startCaldavDouble()])
  project.provide('radicale', radicale.url)
  project.provide('caldavDouble', double.url)
  return async () => {
    await Promise.all([radicale.stop(), double.stop()])
  }
}
