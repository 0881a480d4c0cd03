import type { Env } from '../../env.ts'

/** Whether this deployment can send text messages. */
export function hasTextMessages(env: Env): boolean {
  const hasSender = Boolean(env.TWILIO_FROM || env.TWILIO_MESSAGING_SERVICE_SID)
  return Boolean(env.TWILIO_ACCOUNT_SID && env.TWILIO_AUTH_TOKEN) && hasSender
}
