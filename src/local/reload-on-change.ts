import { watch } from 'node:fs/promises'
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
  for await (const { filename } of watch(join(settings.root, 'src'), { recursive: true })) {
    await sleep(SETTLED_MS)
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
