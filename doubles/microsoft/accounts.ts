import type { Frame } from '../world.ts'
import { calendarIdOf, guidOf, immutableCalendarIdOf, userIdOf } from './make-ids.ts'
import { type AccountSettings, REGISTRATION, WORLD_SETTINGS } from './settings.ts'
import type { Account, Calendar, State, StoredEvent, Tenant } from './state.ts'

/** Where all personal accounts live. learn.microsoft.com/entra/identity-platform/id-token-claims-reference */
const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'
const PERSONAL_DOMAINS = /@(outlook|hotmail|live|msn)\.(com|de|fr|example)$/

export function emptyState(frame: Frame): State {
  return {
    frame,
    settings: { ...WORLD_SETTINGS },
    registration: { ...REGISTRATION },
    accounts: new Map(),
    tenants: new Map(),
    grants: [],
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    subscriptions: [],
    validations: [],
  }
}

function tenantOf(state: State, mail: string, isPersonal: boolean): Tenant {
  const name = isPersonal ? 'Microsoft Services' : mail.split('@')[1]!
  const id = isPersonal ? PERSONAL_TENANT : guidOf(`tenant ${name}`)
  const known = state.tenants.get(id) ?? { id, name, consented: new Set<string>() }
  state.tenants.set(id, known)
  return known
}

export const isPersonalTenant = ({ id }: Tenant): boolean => id === PERSONAL_TENANT

const nameOf = (mail: string) =>
  mail
    .split('@')[0]!
    .split(/[._-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

function makeAccount(state: State, mail: string, kind: AccountSettings['kind']): Account {
  const isPersonal = kind === 'personal'
  const account: Account = {
    mail,
    id: userIdOf(mail, isPersonal),
    tenant: tenantOf(state, mail, isPersonal),
    settings: {
      kind,
      displayName: nameOf(mail),
      isAdministrator: false,
      mailbox: 'there',
      mailboxTimeZone: state.settings.timeZone,
      userConsent: 'allowed',
      signInError: 'none',
      refreshError: 'none',
      onlineMeetingProvidersFail: 0,
      onlineMeetingProviders: isPersonal ? ['skypeForConsumer'] : ['teamsForBusiness'],
      isMailNull: false,
    },
    calendars: [],
    events: [],
    eventsById: new Map(),
    sequence: 0,
    inFlight: 0,
    requestTimes: [],
    mails: [],
    consented: new Set(),
  }
  addCalendar(account, { name: 'Calendar', isDefault: true })
  return account
}

/** The account with this address, made when it is first named: of outlook.com and the like a personal one. */
export function accountOf(state: State, mail: string): Account {
  const key = mail.toLowerCase()
  const known = state.accounts.get(key)
  if (known) return known
  const account = makeAccount(state, key, PERSONAL_DOMAINS.test(key) ? 'personal' : 'work')
  state.accounts.set(key, account)
  return account
}

/** An account of the other kind has another id, another organization and an empty mailbox: it is made again. */
export function becomeOfKind(state: State, account: Account, kind: AccountSettings['kind']): Account {
  const made = makeAccount(state, account.mail, kind)
  state.accounts.set(account.mail, made)
  return made
}

export type NewCalendar = {
  readonly name: string
  readonly isDefault?: boolean
  readonly canWrite?: boolean
  readonly ownerName?: string
  readonly ownerMail?: string
  readonly isFreeBusyOnly?: boolean
}

export function addCalendar(account: Account, said: NewCalendar): Calendar {
  const key = account.calendars.length + 1
  const of = { userId: account.id, isPersonal: account.settings.kind === 'personal' }
  const calendar: Calendar = {
    key,
    id: calendarIdOf(of, key),
    immutableId: immutableCalendarIdOf(of, key),
    name: said.name,
    isDefault: said.isDefault ?? false,
    canEdit: said.canWrite ?? !said.isFreeBusyOnly,
    isFreeBusyOnly: said.isFreeBusyOnly ?? false,
    ownerName: said.ownerName ?? account.settings.displayName,
    ownerMail: said.ownerMail ?? account.mail,
    isGone: false,
    version: nextVersion(account),
  }
  account.calendars.push(calendar)
  return calendar
}

export function nextVersion(account: Account): number {
  account.sequence += 1
  return account.sequence
}

export const defaultCalendar = (account: Account): Calendar =>
  account.calendars.find(({ isDefault }) => isDefault)!

/** By either id, or by name as controls may say it; not one that is gone. */
export const calendarById = (account: Account, id: string): Calendar | null =>
  account.calendars.find((one) => !one.isGone && (one.id === id || one.immutableId === id)) ?? null

export const liveEvents = (account: Account, calendar: number | null): StoredEvent[] =>
  account.events.filter(
    (event) =>
      !event.isDeleted &&
      (calendar === null || event.calendar === calendar) &&
      !account.calendars.find(({ key }) => key === event.calendar)?.isGone,
  )
