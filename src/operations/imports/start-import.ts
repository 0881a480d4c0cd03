import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { SECOND_MS } from '../../core/time-units.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { takeTime, uncounted } from '../../platform/db/deadline.ts'
import { looseId } from '../../platform/db/ids.ts'
import type { ImportSource } from '../../platform/db/schema/import-jobs.ts'
import type { Context } from '../../platform/http/context.ts'
import { type Refused, refuse } from '../../platform/http/errors.ts'
import { answerFirst } from '../../platform/http/idempotency.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { WholeAnswer } from '../../platform/http/route.ts'
import { importFound, type Progress } from './import-found.ts'
import { type ImportCalls, importName } from './import-keeper.ts'
import { IMPATIENT, openSource } from './open-source.ts'
import { SourceError } from './source.ts'
import { leftOutTexts } from './whys.ts'

const NAMES: Readonly<Record<ImportSource, { readonly service: string; readonly field: string }>> = {
  calendly: { service: 'Calendly', field: 'token' },
  calcom: { service: 'Cal.com', field: 'api_key' },
}

const CHECK_MS = 7 * SECOND_MS

/** Hands the secret to the object that imports, unless it only asks what would be imported. */
export async function startImport(
  ctx: Context<TenantCaller>,
  source: ImportSource,
  secret: string,
): Promise<ImportJob | WholeAnswer> {
  if (ctx.caller.isTest) throw refuse('import_is_live')
  if (ctx.isDry) return preview(ctx, source, secret)
  const { env, caller, ipAddress, requestId } = ctx
  const wanted = { source, secret, caller, ipAddress, requestId }
  const object = env.IMPORTS.getByName(importName(caller.organizationId, source)) as unknown as ImportCalls
  const started = await uncounted(env, CHECK_MS, () => object.start(wanted))
  if ('failed' in started) throw refusalOf(source, started.failed)
  const { job } = started
  const answer = await answerFirst(ctx, 202, job)
  if (answer instanceof WholeAnswer) return answer
  return new WholeAnswer({ status: 202, body: job }, false, { Location: `/v1/imports/${job.id}` })
}

async function preview(ctx: Context<TenantCaller>, source: ImportSource, secret: string): Promise<ImportJob> {
  takeTime(ctx.env)
  const progress: Progress = {
    made: { schedules: 0, event_types: 0, bookings: 0 },
    leftOut: [],
    wouldMake: [],
  }
  try {
    const account = openSource(ctx.env, source, secret, ctx.now, IMPATIENT)
    for await (const _ of importFound(() => ctx, account, progress));
  } catch (error) {
    throw error instanceof SourceError ? refusalOf(source, error.kind) : error
  }
  const at = formatInstant(ctx.now)
  return {
    id: looseId(),
    source,
    status: 'done',
    made: progress.made,
    left_out: progress.leftOut.map((one) => leftOutTexts(one, ctx.language)),
    would_make: progress.wouldMake,
    created_at: at,
    finished_at: at,
  }
}

function refusalOf(source: ImportSource, kind: SourceError['kind']): Refused {
  const { service, field } = NAMES[source]
  if (kind !== 'refused' && kind !== 'not_allowed') return refuse('source_unanswered', { service })
  return refuse('secret_refused', { service, field }, { field })
}
