import type { TestProject } from 'vitest/node'
import { startDoubles } from './doubles.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the doubles of the OAuth providers are, outside the runtime under test. */
    readonly doubles: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const doubles = await startDoubles()
  project.provide('doubles', doubles.url)
  return doubles.stop
}
