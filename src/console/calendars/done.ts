import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import type { MemberRequest } from '../request.ts'

const DONE = [
  'connected',
  'meetingConnected',
  'added',
  'invited',
  'synced',
  'disconnected',
  'revoked',
  'zoomDisconnected',
] as const

/** What was just done, as the address says after a form was sent or a provider was visited. */
export function doneIn({ page }: MemberRequest): string | undefined {
  const { searchParams } = page.url
  const texts = textsOf(page.locale, calendarsTexts)
  if (searchParams.get('calendar') === 'connected') return texts.connected
  if (searchParams.get('conferencing') === 'connected') return texts.meetingConnected
  if (searchParams.get('admin_consent') === 'granted') return texts.adminAgreed
  const said = searchParams.get('done')
  if (said === 'saved') return textsOf(page.locale, shellTexts).saved
  const done = DONE.find((one) => one === said)
  return done && texts[done]
}

/** What failed at the provider, in words of ours: the address could have been written by anybody. */
export function troubleIn({ page }: MemberRequest): string | undefined {
  const { searchParams } = page.url
  const texts = textsOf(page.locale, calendarsTexts)
  if (searchParams.get('done') === 'notSynced') return texts.notSynced
  if (searchParams.get('admin_consent') === 'refused') return texts.adminRefused
  if (searchParams.get('reason') === 'admin_consent_required') return texts.needsAdministrator
  return searchParams.has('error') ? texts.notConnected : undefined
}
