import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { JobRow } from './queries.ts'
import { whyOf } from './whys.ts'

export function presentJob(job: JobRow): ImportJob {
  return {
    id: job.id,
    source: job.source,
    status: job.status,
    made: { ...job.made },
    left_out: job.leftOut.map((one) => ({ what: one.what, why: whyOf(one) })),
    created_at: formatInstant(job.createdAt),
    finished_at: job.finishedAt === null ? null : formatInstant(job.finishedAt),
  }
}
