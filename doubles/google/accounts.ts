import { makeCalendarId } from './make-ids.ts'
import type { Account, Calendar, CalendarKind, Entry, Role, State } from './state.ts'

/** The account of an email address, made with an empty calendar when it is first named. */
export function accountOf(state: State, mail: string): Account {
  const known = state.accounts.get(mail)
  if (known) return known
  const account: Account = {
    mail,
    name: nameOf(mail),
    isRemoved: false,
    entries: [],
    mails: [],
  }
  state.accounts.set(mail, account)
  addCalendar(state, account, { id: mail, name: mail, kind: 'primary' })
  return account
}

function nameOf(mail: string): string {
  return mail
    .split('@')[0]!
    .split(/[._-]/)
    .filter(Boolean)
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join(' ')
}

type NewCalendar = {
  readonly name: string
  readonly id?: string
  readonly kind?: CalendarKind
  readonly accessRole?: Role
  readonly isHidden?: boolean
  readonly isSelected?: boolean
  readonly timeZone?: string
  readonly owner?: string
}

/** Calendars that Google makes have a number sign in their id, which must be encoded in a path: kewisch/gdata-provider#142. */
function idOf({ id, kind }: NewCalendar): string {
  if (id) return id
  if (kind === 'holidays') return 'de.german#holiday@group.v.calendar.google.com'
  if (kind === 'birthdays') return 'addressbook#contacts@group.v.calendar.google.com'
  return makeCalendarId()
}

export function addCalendar(state: State, account: Account, made: NewCalendar): Calendar {
  const kind = made.kind ?? 'secondary'
  const isMade = kind === 'holidays' || kind === 'birthdays'
  const id = idOf(made)
  const version = ++state.version
  const calendar: Calendar = {
    id,
    summary: made.name,
    timeZone: made.timeZone ?? state.settings.timeZone,
    kind,
    owner: made.owner ?? account.mail,
    isGone: false,
    events: new Map(),
    epoch: 0,
    version,
  }
  state.calendars.set(keyOf(account.mail, id, isMade), calendar)
  account.entries.push({
    calendarId: id,
    accessRole: made.accessRole ?? (isMade ? 'reader' : 'owner'),
    isHidden: made.isHidden ?? false,
    isSelected: made.isSelected ?? true,
    isDeleted: false,
    version,
  })
  return calendar
}

/** Holidays have one id for all, but not one content. */
const keyOf = (mail: string, id: string, isMade: boolean) => (isMade ? `${mail} ${id}` : id)

export function calendarOf(state: State, mail: string, id: string): Calendar | null {
  return state.calendars.get(id) ?? state.calendars.get(keyOf(mail, id, true)) ?? null
}

export type Place = { readonly calendar: Calendar; readonly entry: Entry }

/** A calendar of somebody's list by its id or the word `primary`; null where it is gone or was never theirs. */
export function findPlace(state: State, account: Account, id: string): Place | null {
  const wanted = id === 'primary' ? account.mail : id
  const entry = account.entries.find((one) => one.calendarId === wanted && !one.isDeleted)
  const calendar = entry && calendarOf(state, account.mail, wanted)
  return entry && calendar && !calendar.isGone ? { calendar, entry } : null
}
