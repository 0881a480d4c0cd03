import type { Env } from '../../../env.ts'
import { storeSandboxItem } from '../../../outbox/mail/store-sandbox-item.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { EventRow } from '../../../platform/db/schema/records.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { wakeDeliveries } from '../../../platform/queue/messages.ts'
import { presentEvent } from '../feed/present.ts'
import { attempted, beginFirst, type FirstAttempt, resultsOf } from './begin-first.ts'
import type { FirstAttempts } from './first-attempts.ts'
import { firstDeliveryId } from './first-id.ts'
import { type DeliveryRow, insertDelivery, type Listener } from './queries.ts'
import { selectDelivered } from './statements.ts'

/** The rows that a statement of the batch answered with; none if the answer was lost. */
export type AnswerOf = (statement: Statement) => readonly unknown[]

type FanOut = {
  /** For the batch that claims the event or marks it as handled. If it runs again, an endpoint still gets one delivery. */
  readonly statements: readonly Statement[]
  /** Call it after the commit. It never fails: the sweep finds what was neither attempted nor announced. */
  readonly announce: (answerOf: AnswerOf) => Promise<void>
  /**
   * For the batch that ends the claim, before what marks the event as handled: the deliveries whose attempts were begun without
   * a row. It waits a little for their answers.
   */
  readonly results: () => Promise<readonly Statement[]>
  /** Call it when this batch was committed, or will not be. */
  readonly end: () => void
}

/**
 * One delivery of the event for each endpoint that subscribes to its kind. If `isClaimed`, a batch claims the event for this
 * process and a later one marks it as handled: until then the event itself promises the deliveries.
 */
export async function fanOut(
  env: Env,
  db: Db,
  event: EventRow,
  listeners: readonly Listener[],
  attempts: FirstAttempts | null,
  now: RealMs,
  isClaimed = false,
): Promise<FanOut> {
  const payload = JSON.stringify(presentEvent(event))
  const subscribed = listeners.filter(({ events }) => events.includes(event.kind) || events.includes('*'))
  const deliveries = subscribed.map((listener) => {
    const row = newDelivery(event, listener.id, payload, now)
    const isOurs = attempts?.take() ?? false
    return { row, listener, isOurs, insert: insertDelivery(db, isOurs ? { ...row, ...attempted(now) } : row) }
  })
  const ours = deliveries.filter(({ isOurs }) => isOurs)
  const others = deliveries.filter(({ isOurs }) => !isOurs)
  const inserts = (isClaimed ? others : deliveries).map(({ insert }) => insert)
  const known =
    isClaimed && ours.length > 0
      ? selectDelivered(
          db,
          event.id,
          ours.map(({ listener }) => listener.id),
        )
      : null
  const outbox = await sandboxItems(env, db, event, subscribed, payload, now)

  const begun: FirstAttempt[] = []
  let resolveOver = () => {}
  const isOver = new Promise<void>((resolve) => {
    resolveOver = resolve
  })
  /** Another process may have made the delivery. */
  const madeOf = (answerOf: AnswerOf) => ours.filter(({ insert }) => answerOf(insert).length > 0)
  const missingOf = (answerOf: AnswerOf) => {
    const [found] = (known ? answerOf(known) : []) as readonly { endpointIds: readonly string[] }[]
    return found ? ours.filter(({ listener }) => !found.endpointIds.includes(listener.id)) : []
  }
  let places = ours.length
  const announce = async (answerOf: AnswerOf) => {
    for (const { row, listener } of isClaimed ? missingOf(answerOf) : madeOf(answerOf)) {
      places -= 1
      begun.push(beginFirst(env, attempts!, row, listener, isClaimed ? isOver : null))
    }
    await wakeDeliveries(
      env,
      others.map(({ row }) => ({ type: 'delivery', deliveryId: row.id, attempt: 1 })),
    )
  }
  return {
    statements: [...(known ? [known] : []), ...inserts, ...outbox],
    announce,
    results: () => (isClaimed ? resultsOf(db, begun, attempts?.patienceMs ?? 0) : Promise.resolve([])),
    end: () => {
      for (; places > 0; places--) attempts?.giveBack()
      resolveOver()
    },
  }
}

async function sandboxItems(
  env: Env,
  db: Db,
  event: EventRow,
  subscribed: readonly Listener[],
  payload: string,
  now: RealMs,
): Promise<Statement[]> {
  const shown = event.isTest ? subscribed : []
  const kept = shown.map((endpoint) =>
    storeSandboxItem(env, db, {
      organizationId: event.organizationId,
      onceKey: `webhook/${endpoint.id}/${event.id}`,
      channel: 'webhook',
      recipient: endpoint.url,
      subject: event.kind,
      body: { text: payload },
      createdAt: now,
    }),
  )
  return (await Promise.all(kept)).map(({ statement }) => statement)
}

function newDelivery(event: EventRow, endpointId: string, payload: string, now: RealMs): DeliveryRow {
  return {
    id: firstDeliveryId(event.id, endpointId),
    organizationId: event.organizationId,
    isTest: event.isTest,
    endpointId,
    eventId: event.id,
    eventKind: event.kind,
    payload,
    retryOf: null,
    ...untried(now),
    // As its id says.
    createdAt: event.createdAt,
  }
}

/** A new delivery. */
export function untried(now: number) {
  return {
    status: 'pending',
    attempts: 0,
    lastAttemptAt: null,
    responseStatusCode: null,
    responseBody: null,
    nextRetryAt: now,
    tellAgainAt: null,
    createdAt: now,
  } as const
}
