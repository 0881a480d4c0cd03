import { type Env, urlAt } from '../../env.ts'
import { type Locale, localeOf } from '../../platform/i18n/locale.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import type { Person, Sender } from './sender.ts'

/** How a member reads: their own language, else the organization's. */
export function memberLocale({ locale }: Person, sender: Sender): Locale {
  return localeOf(spokenTag(locale, sender.locale))
}

/** Where members look after things. It never carries the token of an invitee. */
export function consoleUrl(env: Env, path: `/${string}`): string {
  return urlAt(env, `/console${path}`)
}
