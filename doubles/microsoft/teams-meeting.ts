import { createHash } from 'node:crypto'
import type { Json } from '../world.ts'
import { innerHtmlOf } from './event-body.ts'
import type { Account, EventFields, State } from './state.ts'

/**
 * A Teams meeting depends on the block that Teams writes into the event's body: without it the event has no meeting, and the next
 * one has another link. learn.microsoft.com/graph/api/event-update; microsoftgraph/microsoft-graph-docs#12244, #16336, #18056;
 * microsoftgraph/microsoft-graph-docs-contrib#311
 */

const RULE = '_'.repeat(80)

/** Newer meetings have a short link, and links in text may lead through a scanner of links. */
function shownLink({ meetingLink }: State['settings'], joinUrl: string, seed: string): string {
  if (meetingLink === 'long') return joinUrl
  const digits = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`)
    .toString()
    .slice(0, 13)
  const short = `https://teams.microsoft.com/meet/${digits}?p=${digits.slice(3)}`
  return meetingLink === 'short'
    ? short
    : `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(short)}&amp;data=05`
}

const blockOf = (joinUrl: string): string =>
  `<br>\r\n<div style="width:100%"><span style="white-space:nowrap; color:#5F5F5F; opacity:.36">${RULE}</span></div>\r\n` +
  `<div class="me-email-text" lang="en-US"><div><span class="me-email-text">Microsoft Teams</span></div>\r\n` +
  `<div><a class="me-email-headline" href="${joinUrl}" target="_blank" rel="noreferrer noopener">Join the meeting now</a></div></div>\r\n` +
  `<div style="width:100%"><span style="white-space:nowrap; color:#5F5F5F; opacity:.36">${RULE}</span></div>`

const NO_MEETING = { isOnlineMeeting: false, onlineMeetingProvider: 'unknown', onlineMeeting: null } as const

/** Whether an event of this account can become a meeting in Teams. */
function provides({ settings }: Account, wanted: string): boolean {
  return settings.kind === 'work' && settings.onlineMeetingProviders.includes(wanted)
}

/**
 * Makes the meeting that was asked for. Where it cannot be, the event is made all the same, answered with 201 and
 * `isOnlineMeeting: false`: for personal accounts (elie222/inbox-zero#3442), for accounts without a licence and in bad
 * hours (microsoftgraph/microsoft-graph-docs#9741). Sometimes its link is there only a while later
 * (elie222/inbox-zero#2652).
 */
export function askForMeeting(
  state: State,
  account: Account,
  fields: EventFields,
  provider: string,
  seed: string,
): void {
  if (!provides(account, provider) || state.settings.meeting === 'failed') {
    Object.assign(fields, NO_MEETING)
    return
  }
  Object.assign(fields, { isOnlineMeeting: true, onlineMeetingProvider: provider, onlineMeeting: null })
  if (state.settings.meeting === 'ready') makeMeeting(state, account, fields, seed)
}

export const isPending = (fields: Partial<EventFields>): boolean =>
  fields.isOnlineMeeting === true && fields.onlineMeeting === null

export function makeMeeting(state: State, account: Account, fields: EventFields, seed: string): void {
  const thread = createHash('sha256').update(seed).digest('base64').replaceAll(/\W/g, '').slice(0, 36)
  const context = JSON.stringify({ Tid: account.tenant.id, Oid: account.id })
  const joinUrl =
    `https://teams.microsoft.com/l/meetup-join/19%3ameeting_${thread}%40thread.v2/0` +
    `?context=${encodeURIComponent(context).toLowerCase()}`
  fields.onlineMeeting = { joinUrl }
  fields.body = {
    contentType: 'html',
    content: innerHtmlOf(fields.body) + blockOf(shownLink(state.settings, joinUrl, seed)),
  }
}

/** After a client wrote the body: no block, no meeting. */
function keepMeetingOfBody(fields: EventFields): void {
  const joinUrl = fields.onlineMeeting?.joinUrl
  if (joinUrl && !fields.body.content.includes('me-email-headline')) Object.assign(fields, NO_MEETING)
}

/** Once there, a meeting is not changed by `isOnlineMeeting`: learn.microsoft.com/graph/api/resources/event */
export function patchMeeting(
  state: State,
  account: Account,
  next: EventFields,
  said: Json,
  seed: string,
  before: EventFields,
) {
  next.isOnlineMeeting = before.isOnlineMeeting
  next.onlineMeetingProvider = before.onlineMeetingProvider
  if (said.body) keepMeetingOfBody(next)
  if (said.isOnlineMeeting === true && !before.isOnlineMeeting) {
    const provider =
      said.onlineMeetingProvider ?? [account.settings.onlineMeetingProviders].flat()[0] ?? 'unknown'
    askForMeeting(state, account, next, provider, seed)
  }
}
