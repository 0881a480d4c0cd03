import { tellStatus } from './notify-webhooks.ts'
import type { Message, Status, Twilio } from './state.ts'

export type Outcome = 'delivered' | 'undelivered' | 'failed'

/**
 * What becomes of a message, with a callback for each status. Callbacks come in any order, and more than once:
 * twilio.com/docs/messaging/guides/track-outbound-message-status.
 */
export async function moveMessage(
  twilio: Twilio,
  message: Message,
  outcome: Outcome,
  { code = twilio.settings.outcomeCode, order = 'given', times = 1 } = {},
): Promise<void> {
  const steps: Status[] = outcome === 'failed' ? ['failed'] : ['queued', 'sent', outcome]
  const now = twilio.frame.now()
  message.from ??= senderFor(twilio, message)
  message.status = outcome
  message.updatedAt = now
  message.errorCode = outcome === 'delivered' ? null : code
  if (outcome !== 'failed') message.sentAt = now
  for (const step of order === 'reversed' ? steps.reverse() : steps)
    for (let at = 0; at < times; at++) await tellStatus(twilio, message, step)
}

/** A Messaging Service keeps the sender that a person knows: twilio.com/docs/messaging/services (sticky sender). */
function senderFor(twilio: Twilio, { serviceSid, to }: Message): string | null {
  const numbers = twilio.registration.services.find(({ sid }) => sid === serviceSid)?.numbers ?? []
  const earlier = [...twilio.messages.values()]
    .filter((one) => one.to === to && one.serviceSid === serviceSid)
    .map(({ from }) => from)
  return numbers.find((number) => earlier.includes(number)) ?? numbers[0] ?? null
}
