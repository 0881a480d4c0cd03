import { watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.ts'
import type { LocalService } from './runtime.ts'
import type { Settings } from './settings.ts'
import { bundle } from './wrangler.ts'

/** Several files are often saved at once. */
const SETTLED_MS = 200

/** Runs the Worker's sources as they are, whenever they change. */
export async function reloadOnChange(settings: Settings, service: LocalService): Promise<void> {
  for await (const filename of changesIn(join(settings.root, 'src'), SETTLED_MS)) {
    try {
      await bundle(settings)
      await service.reload()
      console.log(`Reloaded: ${filename} changed.`)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      console.error(error.message)
    }
  }
}

/**
 * The last file that was changed, once for all that changed since the one before: the iterator of Node.js forgets what
 * happens while nobody waits for it.
 */
export async function* changesIn(directory: string, settledMs: number): AsyncGenerator<string, never> {
  let changed: string | null = null
  let tell = () => {}
  const watcher = watch(directory, { recursive: true }, (_, filename) => {
    changed = filename ?? 'a file'
    tell()
  })
  // The machine may let nobody watch so many files: the service runs all the same.
  watcher.on('error', ({ message }) => console.error(`Changes are not noticed any more: ${message}`))
  for (;;) {
    while (changed === null) {
      await new Promise<void>((go) => {
        tell = go
      })
    }
    await sleep(settledMs)
    const last = changed
    changed = null
    yield last
  }
}
