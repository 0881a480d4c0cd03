import { isOver } from '../../../engine/waits/wait-of.ts'
import type { Context } from '../../../platform/http/context.ts'
import { refuse } from '../../../platform/http/errors.ts'
import { nowAsSeen } from '../../../platform/limits/clock.ts'
import { openAnswers } from '../../questions/take-answers.ts'
import { type DecisionLink, findLinked } from './find-linked.ts'

/** A request as its host or the owner sees it by the link in their email. */
export async function getRequest(ctx: Context, link: DecisionLink) {
  const { row, request, sandboxNow, shown } = await findLinked(ctx, link, 'decides')
  if (!request) throw refuse('wrong_link')
  const now = nowAsSeen(row.isTest, sandboxNow, ctx.now)
  return {
    ...shown,
    answers: await openAnswers(ctx.env, row.answers),
    decideBy: request.expiresAt,
    isOpen: row.status === 'pending_approval' && !isOver(request, now),
  }
}
export type FoundRequest = Awaited<ReturnType<typeof getRequest>>
