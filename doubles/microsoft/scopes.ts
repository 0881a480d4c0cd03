import { accessDenied, Refusal } from './graph-reply.ts'

const GRAPH = 'https://graph.microsoft.com/'
const OPENID = ['openid', 'profile', 'email', 'offline_access']

/** Delegated permissions that the double knows. learn.microsoft.com/graph/permissions-reference */
const KNOWN = [
  ...OPENID,
  ...['User.Read', 'User.ReadWrite', 'User.ReadBasic.All', 'User.Read.All', 'MailboxSettings.Read'],
  ...['MailboxSettings.ReadWrite', 'Calendars.ReadBasic', 'Calendars.Read', 'Calendars.ReadWrite'],
  ...[
    'Calendars.Read.Shared',
    'Calendars.ReadWrite.Shared',
    'Contacts.Read',
    'Contacts.ReadWrite',
    'Mail.Read',
  ],
  ...['Mail.ReadBasic', 'Mail.ReadWrite', 'Mail.Send', 'OnlineMeetings.Read', 'OnlineMeetings.ReadWrite'],
  ...['Directory.Read.All', 'Group.Read.All', 'Group.ReadWrite.All', 'Place.Read.All', 'Presence.Read'],
]

/** Personal accounts have no organization and no Teams: learn.microsoft.com/graph/permissions-reference */
const WORK_ONLY = /\.Shared$|\.All$|^OnlineMeetings\.|^Presence\./

export const readScopes = (text: string): string[] => [...new Set(text.split(/\s+/).filter(Boolean))]

/** Without the address of Graph before it and with the capitals of the reference; null where there is none such. */
export function scopeOf(said: string): string | null {
  const name = said.toLowerCase().startsWith(GRAPH) ? said.slice(GRAPH.length) : said
  if (name === '.default') return name
  return KNOWN.find((known) => known.toLowerCase() === name.toLowerCase()) ?? null
}

export const isWorkOnly = (scope: string): boolean => WORK_ONLY.test(scope)

/** What needs somebody's consent: `offline_access` and the like are asked for with the rest. */
export const consentable = (scopes: readonly string[]): string[] =>
  scopes.flatMap((said) => {
    const scope = scopeOf(said)
    return scope === null || OPENID.includes(scope) ? [] : [scope]
  })

/**
 * The `scope` of a token: as requested, without `offline_access`, with all of OpenID. MicrosoftDocs/azure-docs#41925,
 * O365/python-o365#518
 */
export const tellScopes = (scopes: readonly string[]): string =>
  [...new Set([...scopes.filter((said) => !OPENID.includes(said)), 'profile', 'openid', 'email'])].join(' ')

const NEEDS = {
  user: ['User.Read', 'User.ReadWrite', 'User.ReadBasic.All', 'User.Read.All'],
  mailboxSettings: ['MailboxSettings.Read', 'MailboxSettings.ReadWrite'],
  read: ['Calendars.Read', 'Calendars.ReadWrite', 'Calendars.Read.Shared', 'Calendars.ReadWrite.Shared'],
  readBasic: [
    ...['Calendars.ReadBasic', 'Calendars.Read', 'Calendars.ReadWrite'],
    ...['Calendars.Read.Shared', 'Calendars.ReadWrite.Shared'],
  ],
  write: ['Calendars.ReadWrite', 'Calendars.ReadWrite.Shared'],
  subscribe: ['Calendars.Read', 'Calendars.ReadWrite'],
} as const

/** Each call needs one of the permissions that its page lists. */
export function needScope(need: keyof typeof NEEDS, scopes: readonly string[]): void {
  const granted = scopes.map(scopeOf)
  if (NEEDS[need].some((scope) => granted.includes(scope))) return
  if (need === 'user') {
    throw new Refusal(
      403,
      'Authorization_RequestDenied',
      'Insufficient privileges to complete the operation.',
    )
  }
  throw accessDenied()
}

/** `Calendars.ReadBasic` alone shows neither bodies nor extensions. */
export const isBasicOnly = (scopes: readonly string[]): boolean => {
  const granted = scopes.map(scopeOf)
  return !NEEDS.read.some((scope) => granted.includes(scope))
}
