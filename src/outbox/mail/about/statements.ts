import { type Column, type SQL, sql } from 'drizzle-orm'
import { named } from '../../../platform/db/prepared.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import type { EmailTextKind } from '../../../platform/db/schema/email-texts.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'
import { events } from '../../../platform/db/schema/records.ts'
import type { About, Person, Sender } from '../sender.ts'

/*
 * What emails contain besides the event, each as one column of a query, so that all queries select the same and no
 * names collide in a batch.
 */

const SENDER = sql`json_object('name', ${organizations.name}, 'locale', ${organizations.locale},
  'timezone', ${organizations.timezone}, 'logoUrl', ${organizations.logoUrl},
  'logoAltText', ${organizations.logoAltText}, 'logoDarkUrl', ${organizations.logoDarkUrl},
  'accentColor', ${organizations.accentColor}, 'imprintUrl', ${organizations.imprintUrl},
  'privacyUrl', ${organizations.privacyUrl}, 'namesProduct',
  json(CASE WHEN ${organizations.removeBranding} AND ${organizations.tier} <> 'free' THEN 'false' ELSE 'true' END))`

const PAGE_PATH = sql`CASE WHEN ${eventTypes.active} AND ${eventTypes.bookingPageEnabled} AND NOT ${eventTypes.isTest}
  AND ${eventTypes.deletedAt} IS NULL AND ${organizations.suspendedAt} IS NULL
  THEN ${organizations.slug} || '/' || ${eventTypes.slug} END`

const EMAILS_INVITEES = sql`json(CASE WHEN ${organizations.inviteeEmails} = 'all' THEN 'true' ELSE 'false' END)`

/** The member in a row of `recipient`. */
const PERSON = sql`json_object('id', recipient.id, 'email', recipient.user_email, 'name', recipient.name,
  'timezone', recipient.timezone, 'locale', recipient.locale, 'notifications', json(recipient.notifications), 'isOwner',
  json(CASE WHEN recipient.user_id IS ${organizations.ownerUserId} THEN 'true' ELSE 'false' END))`

const OWNER = sql`(SELECT ${PERSON} FROM members recipient
  WHERE recipient.organization_id = ${organizations.id} AND recipient.user_id = ${organizations.ownerUserId})`

function memberWithId(id: SQL | Column): SQL {
  return sql`(SELECT ${PERSON} FROM members recipient WHERE recipient.id = ${id})`
}

/** The members in a JSON list, with an id that is found in each `one`. */
function membersIn(list: SQL | Column, id: SQL): SQL {
  return sql`(SELECT json_group_array(${PERSON}) FROM json_each(${list}) one CROSS JOIN members recipient ON recipient.id = ${id})`
}

const OF_HOST = sql`one.value ->> 'member_id'`

/** The hosts of `bookings` beside the assigned one. */
const CO_HOSTS = membersIn(bookings.coHosts, OF_HOST)

/** Each of `ways` finds a member, several or none. A member who is found more than once is listed once. */
function people(...ways: readonly SQL[]) {
  const read = (text: string) => {
    const found = (JSON.parse(text) as (Person | null | Person[])[]).flat().filter((one) => one !== null)
    return [...new Map(found.map((person) => [person.id, person])).values()]
  }
  return named(sql`json_array(${sql.join([...ways], sql`, `)})`, read, 'people')
}

/** Of `organizations` in a query. */
export function senderColumn() {
  return named(SENDER, (text: string) => JSON.parse(text) as Sender, 'sender')
}

/** The organization's own texts for a kind of email, by language. Organizations without any cost no row. */
function textsOf(kind: SQL): SQL {
  return sql`json((SELECT json_group_object(own.locale,
    json_object('subject', own.subject, 'intro', own.intro, 'closing', own.closing))
    FROM email_texts own WHERE own.organization_id = ${organizations.id} AND own.kind = ${kind}))`
}

/**
 * Of `event_types` and `organizations` in a query. The title is null if the event type no longer exists. `kind` is whose own
 * texts it has; null for emails that have none. `zoneUnknown` is that of the booking or entry.
 */
export function aboutColumn(kind: EmailTextKind | SQL | null = null, zoneUnknown: SQL | Column = sql`0`) {
  const about = sql`json_object('title', ${eventTypes.title}, 'color', ${eventTypes.color},
      'timezone', ${eventTypes.timezone}, 'conferencingProvider', ${eventTypes.conferencingProvider},
      'pagePath', ${PAGE_PATH}, 'emailsInvitees', ${EMAILS_INVITEES}, 'zoneUnknown', ${zoneUnknown}, 'texts', ${kind === null ? sql`NULL` : textsOf(literal(kind))}, 'sender', ${SENDER})`
  return named(about, (text: string) => JSON.parse(text) as About, 'about')
}

/** A bound value would keep the statement from being built once. */
function literal(kind: EmailTextKind | SQL): SQL {
  return typeof kind === 'string' ? sql.raw(`'${kind}'`) : kind
}

/** The kind of text of an email on demand: of `bookings` in a query. */
export const CONFIRMATION_OR_REQUEST = sql`CASE ${bookings.status} WHEN 'pending_approval' THEN 'request' ELSE 'confirmation' END`

/** The owner of `organizations` in a query. */
export function ownerColumn() {
  return people(OWNER)
}

/** The owner and one member: of `organizations` in a query. */
export function ownerAndColumn(memberId: SQL | Column) {
  return people(OWNER, memberWithId(memberId))
}

/** The owner and who hosts the booking: of `bookings`, `event_types` and `organizations` in a query. */
export function peopleColumn() {
  return people(OWNER, memberWithId(bookings.assignedHostId), CO_HOSTS)
}

/** The owner and who hosted the booking as it was then, and before that: of `events` too. */
export function peopleOfEventColumn() {
  const then = sql`json_extract(${events.data}, '$.assigned_host.member_id')`
  const before = sql`json_extract(${events.previous}, '$.host_id')`
  // Most bookings have one host, and then nothing more is read.
  const hasOthers = sql`coalesce(json_array_length(${events.data}, '$.hosts'), 0) > (${then} IS NOT NULL)`
  const hosts = membersIn(sql`${events.data}, '$.hosts'`, OF_HOST)
  const others = sql`json(CASE WHEN ${hasOthers} THEN ${hosts} ELSE '[]' END)`
  const othersBefore = membersIn(sql`${events.previous}, '$.co_host_ids'`, sql`one.value`)
  return people(OWNER, memberWithId(then), memberWithId(before), others, othersBefore)
}
