import { type Env, urlAt } from '../../env.ts'
import { markOf } from '../../platform/auth/secret.ts'
import { hasTextMessages } from '../../platform/sms/settings.ts'
import { send } from '../../platform/transport/fetch.ts'
import type { TextProvider } from './provider/text-provider.ts'
import { twilioProvider } from './provider/twilio.ts'

const API_BASE = 'https://api.twilio.com'

/** The provider that this deployment is registered at; null without one. */
export function openTextProvider(env: Env): TextProvider | null {
  if (!hasTextMessages(env)) return null
  const settings = {
    accountSid: env.TWILIO_ACCOUNT_SID!,
    authToken: env.TWILIO_AUTH_TOKEN!,
    from: env.TWILIO_FROM || undefined,
    messagingServiceSid: env.TWILIO_MESSAGING_SERVICE_SID || undefined,
    apiBase: env.TWILIO_API_BASE || API_BASE,
  }
  return twilioProvider(settings, send)
}

/** Where the provider reports the status of a message to. */
export function statusUrl(env: Env, id: string): string {
  return urlAt(env, `/v1/sms/twilio/status?id=${id}`)
}

/** A number, as opt-outs and limits know it. */
export function numberHash({ ENCRYPTION_KEY }: Env, number: string): Promise<string> {
  return markOf(ENCRYPTION_KEY, `sms/${number}`)
}

/** Whether this deployment sends to the country of a number: it begins with one of the codes, or there are none. */
export function isAllowedNumber({ SMS_COUNTRIES }: Env, number: string): boolean {
  const codes = (SMS_COUNTRIES ?? '').split(',').map((code) => code.trim())
  const given = codes.filter((code) => code !== '')
  return (
    given.length === 0 || given.some((code) => number.startsWith(code.startsWith('+') ? code : `+${code}`))
  )
}
