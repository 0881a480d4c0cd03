import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { ImportSource, LeftOut } from '../../platform/db/schema/import-jobs.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import type { Why } from '../../platform/reasons/left-out.ts'
import { type Clock, SYSTEM_CLOCK } from './clock.ts'
import { importFound, type Progress } from './import-found.ts'
import { IMPATIENT, openSource, patientBy } from './open-source.ts'
import { presentJob } from './present.ts'
import {
  insertJob,
  interruptJob,
  type JobRow,
  selectLatestJob,
  selectMadeFrom,
  updateJob,
} from './queries.ts'
import { SourceError } from './source.ts'
import { leftOut } from './whys.ts'

/** Plain data: who wants to import what. */
export type WantedImport = {
  readonly source: ImportSource
  readonly secret: string
  readonly caller: TenantCaller
  readonly ipAddress: string | null
  readonly requestId: string
}

export type StartedImport = { readonly job: ImportJob } | { readonly failed: SourceError['kind'] }

/** How an object that keeps an import is called. */
export function importName(organizationId: string, source: ImportSource): string {
  return `${organizationId}/${source}`
}

/** What the object of an import does for others. */
export type ImportCalls = {
  start(wanted: WantedImport): Promise<StartedImport>
  isRunning(jobId: string): Promise<boolean>
}

type Run = {
  readonly ctx: () => Context<TenantCaller>
  readonly progress: Progress
  readonly steps: AsyncGenerator<void>
  /** The thing that a step left unfinished. */
  next: Promise<IteratorResult<void>> | null
  job: JobRow
}

/**
 * A step of an import ends after so many things, or after this time even if it waits for the other service: each has its own share
 * of the runtime's limits, and an alarm may take 15 minutes at most.
 */
const THINGS_A_STEP = 20
const STEP_MS = 10 * SECOND_MS

/** One import at a time, whose secret is in this memory and nowhere else. */
export class ImportKeeper {
  readonly #env: Env
  readonly #clock: Clock
  #run: Run | null = null
  #starting: Promise<StartedImport> | null = null

  /** `env` is that of the organization's database. */
  constructor(env: Env, clock: Clock = SYSTEM_CLOCK) {
    this.#env = env
    this.#clock = clock
  }

  /** The import that runs, or another one; an interrupted one goes on. */
  async start(wanted: WantedImport): Promise<StartedImport> {
    if (this.#run) return { job: presentJob(this.#run.job) }
    this.#starting ??= this.#start(wanted).finally(() => {
      this.#starting = null
    })
    return this.#starting
  }

  isRunning(jobId: string): boolean {
    return this.#run?.job.id === jobId
  }

  async #start(wanted: WantedImport): Promise<StartedImport> {
    const { source: name, secret, caller } = wanted
    const env = this.#env
    const now = Date.now()
    try {
      await openSource(env, name, secret, now, IMPATIENT).check()
    } catch (error) {
      if (error instanceof SourceError) return { failed: error.kind }
      throw error
    }
    const db = openDb(env, 'decide')
    const [latest] = await selectLatestJob(db, caller.organizationId, name)
    const goesOn = latest?.status === 'running' || latest?.status === 'interrupted'
    const rows = goesOn ? await selectMadeFrom(db, caller.organizationId, name) : []
    const madeSince = (kind: string) =>
      rows.filter((row) => row.createdAt >= latest!.createdAt && row.source.startsWith(`${name}/${kind}/`))
        .length
    const job: JobRow = {
      id: goesOn ? latest.id : newId(caller.organizationId),
      organizationId: caller.organizationId,
      source: name,
      status: 'running',
      // What was made after the job was last saved counts too.
      made: {
        schedules: madeSince('schedule'),
        event_types: madeSince('event_type'),
        bookings: madeSince('booking'),
      },
      leftOut: goesOn ? latest.leftOut.filter(isOfWhatWasMade) : [],
      createdAt: goesOn ? latest.createdAt : now,
      updatedAt: now,
      finishedAt: null,
    }
    await commitBatch(db, [
      goesOn ? updateJob(db, job.id, { status: 'running', updatedAt: now }) : insertJob(db, job),
      recordActivity(
        db,
        tenantOf(job),
        originOf(contextOf(env, wanted)),
        changeOf(job, 'import.started', {}),
      ),
    ])
    const continuedFrom = goesOn ? latest.createdAt : null
    const progress: Progress = {
      continuedFrom,
      made: { ...job.made },
      leftOut: [...job.leftOut],
      wouldMake: [],
    }
    const ctx = () => contextOf(env, wanted)
    const steps = importFound(ctx, openSource(env, name, secret, now, patientBy(this.#clock)), progress)
    this.#run = { ctx, progress, steps, next: null, job }
    return { job: presentJob(job) }
  }

  /** The next things; whether there are more. Without an import in memory, the job that was begun is interrupted. */
  async step(source: ImportSource, organizationId: string): Promise<boolean> {
    const run = this.#run
    if (!run) {
      await this.#interrupt(source, organizationId)
      return false
    }
    try {
      const { things, isDone } = await this.#advance(run)
      if (isDone) await this.#finish(run, 'done')
      else if (things > 0) await this.#save(run)
      return !isDone
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'later') {
        await this.#pause(run, this.#clock.now() + error.waitMs)
        return false
      }
      if (!(error instanceof SourceError)) {
        console.error(JSON.stringify({ import: run.job.id, cause: bareError(error).stack }))
      }
      run.progress.leftOut.push(leftOut({ part: 'rest' }, whyFailed(error)))
      await this.#finish(run, 'failed')
      return false
    }
  }

  /** What takes longer than the step continues in memory, and the next step takes it up. */
  async #advance(run: Run): Promise<{ readonly things: number; readonly isDone: boolean }> {
    const timer = this.#clock.start(STEP_MS)
    let isLate = false
    const late = timer.passed.then(() => {
      isLate = true
      return null
    })
    let things = 0
    try {
      while (things < THINGS_A_STEP && !isLate) {
        run.next ??= run.steps.next()
        const result = await Promise.race([run.next, late])
        if (result === null) break
        run.next = null
        if (result.done) return { things, isDone: true }
        things += 1
      }
      return { things, isDone: false }
    } finally {
      timer.stop()
    }
  }

  /** The secret would have to be kept for too long: the owner sends the request again. */
  async #pause(run: Run, until: number): Promise<void> {
    const at = new Date(Math.ceil(until / MINUTE_MS) * MINUTE_MS).toISOString()
    const detail = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
    run.progress.leftOut.push(leftOut({ part: 'rest', detail }, 'later'))
    run.job = { ...run.job, status: 'interrupted' }
    await this.#save(run)
    this.#run = null
  }

  async #interrupt(source: ImportSource, organizationId: string): Promise<void> {
    const db = openDb(this.#env, 'decide')
    const [latest] = await selectLatestJob(db, organizationId, source)
    if (latest) await commitBatch(db, [interruptJob(db, latest.id, Date.now())])
  }

  async #save(run: Run): Promise<void> {
    const { made, leftOut: lost } = run.progress
    run.job = { ...run.job, made: { ...made }, leftOut: [...lost], updatedAt: Date.now() }
    const db = openDb(this.#env, 'decide')
    await commitBatch(db, [updateJob(db, run.job.id, savedOf(run.job))])
  }

  async #finish(run: Run, status: 'done' | 'failed'): Promise<void> {
    const { made, leftOut: lost } = run.progress
    const now = Date.now()
    const job = { ...run.job, status, made: { ...made }, leftOut: [...lost], updatedAt: now, finishedAt: now }
    const db = openDb(this.#env, 'decide')
    const ctx = run.ctx()
    const tenant = tenantOf(job)
    const event = recordEvent(db, tenant, { kind: 'import.finished', data: presentJob(job), revision: 1 })
    const change = changeOf(job, 'import.finished', { status, ...job.made, left_out: lost.length })
    await commitBatch(db, [
      updateJob(db, job.id, savedOf(job)),
      ...event.statements,
      recordActivity(db, tenant, originOf(ctx), change),
    ])
    this.#run = null
    await wakeQueue(this.#env, { type: 'event', eventId: event.id })
  }
}

/** What was not made at all, or could not be read, is tried again. */
function isOfWhatWasMade({ part, why }: LeftOut): boolean {
  return part !== undefined && part !== 'rest' && part !== 'hours' && why !== 'not_allowed'
}

function savedOf({ status, made, leftOut: lost, updatedAt, finishedAt }: JobRow) {
  return { status, made, leftOut: lost, updatedAt, finishedAt }
}

function whyFailed(error: unknown): Why {
  if (!(error instanceof SourceError)) return 'failed'
  return error.kind === 'refused' ? 'secret_refused' : 'unavailable'
}

function tenantOf({ organizationId }: JobRow) {
  return { organizationId, isTest: false }
}

function changeOf(
  { organizationId, source }: JobRow,
  action: string,
  changes: Readonly<Record<string, unknown>>,
) {
  return {
    action,
    resourceType: 'organization' as const,
    resourceId: organizationId,
    changes: { source, ...changes },
  }
}

/** The caller who started it, now. */
function contextOf(env: Env, { caller, ipAddress, requestId }: WantedImport): Context<TenantCaller> {
  return {
    env,
    request: new Request(env.PUBLIC_URL),
    ...{ requestId, ipAddress, caller },
    now: Date.now() as AskedMs,
    claim: null,
    isDry: false,
  }
}
