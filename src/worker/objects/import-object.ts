import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../env.ts'
import type { ImportCalls, ImportKeeper, WantedImport } from '../../operations/imports/import-keeper.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import type { ImportSource } from '../../platform/db/schema/import-jobs.ts'
import { homeOf } from '../../platform/db/shards.ts'

const NAME = 'name'

/**
 * One object per organization and service that it imports from. Each alarm does some of the work, so that no invocation comes near
 * the limits of the runtime. The secret is in its memory only: a restart ends the import.
 */
export class ImportObject extends DurableObject<Env> implements ImportCalls {
  // An alarm may not say whose object it wakes.
  readonly #name = this.ctx.id.name ?? this.ctx.storage.kv.get<string>(NAME)!
  #keeper: Promise<ImportKeeper> | null = null

  async start(wanted: WantedImport) {
    this.ctx.storage.kv.put(NAME, this.#name)
    const started = await (await this.#opened()).start(wanted)
    if ('job' in started) await this.ctx.storage.setAlarm(Date.now())
    return started
  }

  async isRunning(jobId: string) {
    return (await this.#opened()).isRunning(jobId)
  }

  override async alarm(): Promise<void> {
    const [organizationId, source] = this.#name.split('/') as [string, ImportSource]
    try {
      const hasMore = await (await this.#opened()).step(source, organizationId)
      if (hasMore) await this.ctx.storage.setAlarm(Date.now())
      else await this.ctx.storage.deleteAll()
    } catch (error) {
      // The next read of the job finds it interrupted.
      this.#keeper = null
      console.error(JSON.stringify({ import: this.#name, cause: bareError(error).stack }))
    }
  }

  #opened(): Promise<ImportKeeper> {
    const [organizationId = ''] = this.#name.split('/')
    this.#keeper ??= import('../../operations/imports/import-keeper.ts').then(
      ({ ImportKeeper }) => new ImportKeeper(homeOf(this.env, organizationId)),
    )
    return this.#keeper
  }
}
