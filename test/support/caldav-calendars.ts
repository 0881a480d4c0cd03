import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { CALDAV_USERS, type CaldavUser, deleteResource, makeCalendar, putEvent } from './caldav.ts'
import type { Script } from './caldav-double.ts'

/** A calendar on the real server, as its owner's own program sees it. */
export async function newCalendar(user: CaldavUser = CALDAV_USERS.grace) {
  const serverUrl = `${inject('radicale')}/`
  const calendarUrl = await makeCalendar(inject('radicale'), user, crypto.randomUUID())
  return {
    ...user,
    serverUrl,
    calendarUrl,
    /** Stores an event; its properties but UID and DTSTAMP, one a line. */
    put: (uid: string, ...lines: readonly string[]) => putEvent(calendarUrl, user, uid, ...lines),
    remove: (uid: string) => deleteResource(`${calendarUrl}${encodeURIComponent(uid)}.ics`, user),
  }
}

export type OwnCalendar = Awaited<ReturnType<typeof newCalendar>>

/** The address of a server that answers everything as the script says. */
export async function misbehavingServer(script: Script): Promise<string> {
  const name = crypto.randomUUID()
  await fetch(`${inject('caldavDouble')}/_script/${name}`, { method: 'PUT', body: JSON.stringify(script) })
  return `${inject('caldavDouble')}/${name}/`
}

/** From now on the connection's calendar is somewhere else. */
export async function moveTo(connectionId: string, calendarUrl: string): Promise<void> {
  await env.DB.prepare('UPDATE calendar_connections SET calendar_id = ? WHERE id = ?')
    .bind(calendarUrl, connectionId)
    .run()
}
