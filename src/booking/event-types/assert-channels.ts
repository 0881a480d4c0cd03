import type { Env } from '../../env.ts'
import { invalid } from '../../platform/http/errors.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { hasTextMessages } from '../../platform/sms/settings.ts'
import type { UpdateEventTypeInput } from './input-schema.ts'

/** Without a provider, no text would be sent. */
export function assertChannels(env: Env, { reminder_channels: channels = [] }: UpdateEventTypeInput): void {
  if (!channels.includes('sms') || hasTextMessages(env)) return
  throw invalid({ reminder_channels: problem('no_text_messages') })
}
