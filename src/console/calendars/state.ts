import type { CalendarConnection } from '../../calendars/schema.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { consoleLanguage, textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'

type Connection = Pick<CalendarConnection, 'status' | 'sync_status' | 'last_sync_at' | 'sync_error'>

type State = {
  readonly tone: 'good' | 'warn' | 'bad'
  /** In a word or two. */
  readonly name: string
  /** What it means, where it is not as it should be. */
  readonly text?: string
  /** When it was last read. */
  readonly read: string
  /** What its provider or server said, which is there in English only. */
  readonly why: string | null
  readonly needsReconnecting: boolean
}

/** How a calendar stands, in words. */
export function stateOf({ page, zone }: MemberRequest, connection: Connection): State {
  const { status, sync_status: sync, last_sync_at: at } = connection
  const texts = textsOf(page.locale, calendarsTexts)
  const read =
    at === null
      ? texts.neverRead
      : fill(texts.readAt, { time: ownShortMomentText(page.locale, Date.parse(at), zone) })
  const why = consoleLanguage(page.locale.language) === 'en' ? connection.sync_error : null
  const told = { read, why, needsReconnecting: false }
  if (status === 'revoked' || status === 'expired') {
    const text = status === 'revoked' ? texts.revokedText : texts.expiredText
    return { ...told, tone: 'bad', name: texts.reconnectNeeded, text, needsReconnecting: true }
  }
  if (status === 'error' || sync === 'error') {
    return { ...told, tone: 'warn', name: texts.troubled, text: texts.troubledText }
  }
  if (at === null || sync === 'syncing') {
    return { ...told, tone: 'good', name: texts.reading, text: texts.readingText }
  }
  return { ...told, tone: 'good', name: texts.working }
}
