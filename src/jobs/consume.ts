import { bareError } from '../db/bare-error.ts'
import type { Env } from '../env.ts'
import type { Message } from '../queue/messages.ts'
import { sendLetter } from '../resources/mail/send-letter.ts'
import { handleEvent } from './handle-event.ts'

const RETRY_SECONDS = [5, 30, 120, 600, 1_800] as const

/** Every message is answered for by itself: one that fails delays no other. */
export async function consume(batch: MessageBatch<Message>, env: Env): Promise<void> {
  await Promise.all(batch.messages.map((message) => consumeOne(message, env)))
}

async function consumeOne(message: MessageBatch<Message>['messages'][number], env: Env): Promise<void> {
  try {
    const retryInSeconds = await handle(message.body, env)
    if (retryInSeconds === null) message.ack()
    else message.retry({ delaySeconds: retryInSeconds })
  } catch (error) {
    const cause = bareError(error).stack
    console.error(JSON.stringify({ queue: message.body.type, attempts: message.attempts, cause }))
    message.retry({ delaySeconds: RETRY_SECONDS[message.attempts - 1] ?? RETRY_SECONDS.at(-1)! })
  }
}

/** Seconds after which to try again; null when the message is done with. */
async function handle(message: Message, env: Env): Promise<number | null> {
  switch (message.type) {
    case 'event':
      await handleEvent(env, message.eventId)
      return null
    case 'letter':
      return (await sendLetter(env, message.letterId, Date.now()))?.retryInSeconds ?? null
  }
}
