import type { TestProject } from 'vitest/node'
import { startReceiver } from './receiver.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the receivers of webhooks are, outside the runtime under test. */
    readonly receiver: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const receiver = await startReceiver()
  project.provide('receiver', receiver.url)
  return receiver.stop
}
