import { isOver } from '../../../engine/waits/wait-of.ts'
import { openDb } from '../../../platform/db/client.ts'
import type { Context } from '../../../platform/http/context.ts'
import { refuse } from '../../../platform/http/errors.ts'
import { nowAsSeen } from '../../../platform/limits/clock.ts'
import { openAnswers } from '../../questions/take-answers.ts'
import { type DecisionLink, findLinked } from './find-linked.ts'
import { listPendingOf } from './queries.ts'

/** A request as its host or the owner sees it by the link in their email. */
export async function getRequest(ctx: Context, link: DecisionLink) {
  const { row, request, sandboxNow, shown } = await findLinked(ctx, link, 'decides')
  if (!request) throw refuse('wrong_link')
  const now = nowAsSeen(row.isTest, sandboxNow, ctx.now)
  const isOpen = row.status === 'pending_approval' && !isOver(request, now)
  const others =
    row.seriesId === null ? [] : await listPendingOf(openDb(ctx.env, 'decide'), row.seriesId, now)
  return {
    ...shown,
    answers: await openAnswers(ctx.env, row.answers),
    decideBy: others[0]?.expiresAt ?? request.expiresAt,
    isOpen: isOpen || others.length > 0,
    /** All that the same button decides about, if it is a series. */
    series: row.seriesId === null ? null : { id: row.seriesId, pending: others },
  }
}
export type FoundRequest = Awaited<ReturnType<typeof getRequest>>
