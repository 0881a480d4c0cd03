import type { Call, Reply } from '../world.ts'
import { badRequest, Refusal } from './graph-reply.ts'
import { checkSelect, pick, readQuery } from './read-query.ts'
import type { Account } from './state.ts'

const USER = new Set(
  'businessPhones displayName givenName jobTitle mail mobilePhone officeLocation surname preferredLanguage userPrincipalName id userType'.split(
    ' ',
  ),
)

/** learn.microsoft.com/graph/api/user-get: a default set of properties, others with `$select`. */
export function tellUser({ id, mail, settings }: Account, call: Call): Reply {
  const select = checkSelect(readQuery(call.query).select, USER, 'user')
  const [givenName = null, ...rest] = settings.displayName.split(' ')
  const user = {
    businessPhones: [],
    displayName: settings.displayName,
    givenName,
    jobTitle: null,
    mail: settings.isMailNull ? null : mail,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: settings.kind === 'work' ? 'en-US' : null,
    surname: rest.join(' ') || null,
    userPrincipalName: mail,
    id,
  }
  const context = `https://graph.microsoft.com/v1.0/$metadata#users${select ? `(${select.join(',')})` : ''}/$entity`
  const picked = pick({ ...user, userType: 'Member' }, select ?? Object.keys(user))
  // Without a selection the id is included; with one only if selected.
  if (select && !select.includes('id')) delete picked.id
  return { status: 200, json: { '@odata.context': context, ...picked } }
}

/** Without a licence or with a mailbox of one's own house: microsoftgraph/microsoft-graph-docs#5888, #10745 */
export function needMailbox({ settings }: Account): void {
  if (settings.mailbox !== 'none') return
  throw new Refusal(404, 'MailboxNotEnabledForRESTAPI', 'REST API is not yet supported for this mailbox.')
}

/** Whatever is written or only read while the mailbox is full: microsoftgraph/microsoft-graph-docs#2927 */
export function needSpace({ settings }: Account): void {
  if (settings.mailbox !== 'full') return
  throw new Refusal(507, 'ErrorQuotaExceeded', 'Mailbox has exceeded maximum mailbox size.')
}

/** learn.microsoft.com/graph/api/user-get-mailboxsettings; the zone has its Windows name unless set up otherwise. */
export function tellMailboxSettings({ id, settings }: Account, [name]: string[]): Reply {
  const workingDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  const all: Record<string, unknown> = {
    archiveFolder: null,
    timeZone: settings.mailboxTimeZone,
    delegateMeetingMessageDeliveryOptions: 'sendToDelegateOnly',
    dateFormat: 'M/d/yyyy',
    timeFormat: 'h:mm tt',
    userPurpose: { value: 'user' },
    automaticRepliesSetting: { status: 'disabled', externalAudience: 'all' },
    language: { locale: 'en-US', displayName: 'English (United States)' },
    workingHours: {
      daysOfWeek: workingDays,
      startTime: '08:00:00.0000000',
      endTime: '17:00:00.0000000',
      timeZone: { name: settings.mailboxTimeZone },
    },
  }
  const context = `https://graph.microsoft.com/v1.0/$metadata#users('${id}')/mailboxSettings`
  if (name === undefined) return { status: 200, json: { '@odata.context': context, ...all } }
  const value = all[name]
  if (value === undefined) throw badRequest(`Resource not found for the segment '${name}'.`)
  const told = value !== null && typeof value === 'object' ? value : { value }
  return { status: 200, json: { '@odata.context': `${context}/${name}`, ...told } }
}
