import { type Env, urlAt } from '../../env.ts'
import { type Locale, localeOf } from '../../platform/i18n/locale.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import type { Person, Sender } from './sender.ts'

/** The member's language, else the organization's. */
export function memberLocale({ locale }: Person, sender: Sender): Locale {
  return localeOf(spokenTag(locale, sender.locale))
}

/** A URL in the console. It never contains an invitee's token. */
export function consoleUrl(env: Env, path: `/${string}`): string {
  return urlAt(env, `/console${path}`)
}
