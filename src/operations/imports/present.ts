import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { JobRow } from './queries.ts'
import { type LeftOutLanguage, leftOutTexts } from './whys.ts'

export function presentJob(job: JobRow, language?: LeftOutLanguage): ImportJob {
  return {
    id: job.id,
    source: job.source,
    status: job.status,
    made: { ...job.made },
    left_out: job.leftOut.map((one) => leftOutTexts(one, language)),
    created_at: formatInstant(job.createdAt),
    finished_at: job.finishedAt === null ? null : formatInstant(job.finishedAt),
  }
}
