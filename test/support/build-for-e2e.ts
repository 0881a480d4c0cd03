import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { buildWorker, migrateState } from './service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The production build, and the state of a service whose database has its tables and nothing else. */
    readonly built: { readonly bundle: string; readonly state: string }
  }
}

/** Builds and migrates once for all files of end-to-end tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-e2e-'))
  const state = join(directory, 'state')
  const [bundle] = await Promise.all([buildWorker(join(directory, 'build')), migrateState(state)])
  project.provide('built', { bundle, state })
  return () => rm(directory, { recursive: true, force: true })
}

/** The build, and in `directory` a state of one's own to run it with. */
export async function takeBuilt(directory: string): Promise<string> {
  const { bundle, state } = inject('built')
  await cp(state, directory, { recursive: true })
  return bundle
}
