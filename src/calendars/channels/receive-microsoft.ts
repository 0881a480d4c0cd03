import * as z from 'zod'
import type { PublicCaller } from '../../platform/auth/caller.ts'
import { PlainText } from '../../platform/http/answer.ts'
import type { Context } from '../../platform/http/context.ts'
import { invalid } from '../../platform/http/errors.ts'
import { parseObject, readBody } from '../../platform/http/read-body.ts'
import { WholeAnswer } from '../../platform/http/route.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { type Told, takeNotifications } from './take-notifications.ts'

const Notifications = z.object({ value: z.array(z.unknown()) })
const Item = z.object({
  subscriptionId: z.string(),
  clientState: z.string(),
  lifecycleEvent: z.string().nullish(),
})

/** Real bodies have fewer items. Invented ones are short, and each costs a check. */
const MOST = 200

/** https://learn.microsoft.com/graph/change-notifications-lifecycle-events */
const LIFECYCLE: Readonly<Record<string, readonly Told[]>> = {
  missed: ['changed'],
  reauthorizationRequired: ['ending'],
  subscriptionRemoved: ['ended', 'changed'],
}

/**
 * Echoes the token with which Graph checks the address, or takes the notifications of several subscriptions.
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
 */
export async function receiveFromMicrosoft(
  ctx: Context<PublicCaller>,
  validationToken: string | undefined,
): Promise<WholeAnswer | undefined> {
  if (validationToken !== undefined) {
    return new WholeAnswer({ status: 200, body: new PlainText(validationToken) }, false)
  }
  const body = Notifications.safeParse(parseObject(await readBody(ctx.request)))
  if (!body.success) throw invalid({ value: problem('not_a', { kinds: ['array'] }) })
  const items = body.data.value.slice(0, MOST).flatMap((each) => Item.safeParse(each).data ?? [])
  const notifications = items.flatMap(({ subscriptionId, clientState, lifecycleEvent }) =>
    (lifecycleEvent ? (LIFECYCLE[lifecycleEvent] ?? []) : (['changed'] as const)).map((told) => ({
      channelId: subscriptionId,
      secret: clientState,
      told,
    })),
  )
  return takeNotifications(ctx, 'calendar_b', notifications)
}
