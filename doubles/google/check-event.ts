import { instantAt } from '../wall-clock.ts'
import type { Json } from '../world.ts'
import { readRule } from './expand-rule.ts'
import { isZone, readDate, readInstant, readWall } from './local-time.ts'
import { emptyRange, invalid, required } from './refuse.ts'

const choices: Readonly<Record<string, readonly string[]>> = {
  status: ['confirmed', 'tentative', 'cancelled'],
  transparency: ['opaque', 'transparent'],
  visibility: ['default', 'public', 'private', 'confidential'],
  eventType: ['default', 'birthday', 'focusTime', 'fromGmail', 'outOfOffice', 'workingLocation'],
}

/** Looks at what somebody wrote, before it is merged with anything. */
export function checkChoices(body: Json): void {
  for (const [name, allowed] of Object.entries(choices)) {
    if (body[name] != null && !allowed.includes(body[name])) {
      throw invalid(`Invalid value for: ${body[name]} is not a valid value`)
    }
  }
  for (const attendee of body.attendees ?? []) {
    if (!attendee.email) throw required('Missing attendee email.')
    if (!/^[^\s@]+@[^\s@]+$/.test(attendee.email)) throw invalid('Invalid attendee email.')
    const answers = ['needsAction', 'declined', 'tentative', 'accepted']
    if (attendee.responseStatus != null && !answers.includes(attendee.responseStatus)) {
      throw invalid(`Invalid value for: ${attendee.responseStatus} is not a valid value`)
    }
  }
  if ((body.reminders?.overrides?.length ?? 0) > 5) throw invalid('Too many override reminders.')
}

/**
 * Brings the times of a whole event into their stored form: a date, or an instant in UTC with a zone. Throws what is
 * wrong with them; `zone` is the calendar's.
 *
 * - Both `date` and `dateTime` are an invalid time (n8n-io/n8n#35800), which is what a PATCH with only one of them leaves
 *   where the other was there before.
 * - An API event must end after it starts (ridafkih/keeper.sh#614).
 * - A series needs a zone by name even where its times have offsets.
 */
export function checkTimes(fields: Json, zone: string): void {
  const { start, end } = fields
  if (!end || (end.date == null && end.dateTime == null)) throw required('Missing end time.')
  const isMissing = !start || (start.date == null && start.dateTime == null)
  for (const [name, time] of [
    ['start', start],
    ['end', end],
  ] as const) {
    if (time?.date != null && time.dateTime != null) throw invalid(`Invalid ${name} time.`)
  }
  if (isMissing || (start.date == null) !== (end.date == null)) {
    throw invalid('Start and end times must either both be date or both be dateTime.')
  }
  const isSeries = Boolean(fields.recurrence?.length)
  fields.start = storedTime(start, 'start', zone, isSeries)
  fields.end = storedTime(end, 'end', zone, isSeries)
  const isEmpty = fields.start.date
    ? fields.end.date <= fields.start.date
    : fields.end.dateTime <= fields.start.dateTime
  if (isEmpty) throw emptyRange()
  checkRecurrence(fields.recurrence)
}

export function storedTime(time: Json, name: string, zone: string, isSeries: boolean): Json {
  if (time.date != null) {
    if (readDate(time.date) === null) throw invalid(`Invalid value for: Invalid format: "${time.date}"`)
    return { date: time.date }
  }
  if (time.timeZone != null && !isZone(time.timeZone)) {
    throw invalid(`Invalid time zone definition for ${name} time.`)
  }
  if (isSeries && time.timeZone == null) throw required(`Missing time zone definition for ${name} time.`)
  const text = String(time.dateTime)
  const wall = readWall(text)
  const instant = wall === null ? readInstant(text) : null
  if (wall === null && instant === null) throw invalid(`Invalid value for: Invalid format: "${text}"`)
  if (wall !== null && time.timeZone == null) {
    throw required(`Missing time zone definition for ${name} time.`)
  }
  const at = wall === null ? instant! : instantAt(time.timeZone, wall)
  return {
    dateTime: new Date(Math.floor(at / 1000) * 1000).toISOString(),
    timeZone: time.timeZone ?? zone,
  }
}

function checkRecurrence(lines: unknown): void {
  if (lines == null) return
  if (!Array.isArray(lines)) throw invalid('Invalid recurrence rule.')
  for (const line of lines as string[]) {
    const [, name = '', value = ''] = /^(RRULE|EXRULE|RDATE|EXDATE)(?:;[^:]*)?:(.+)$/.exec(line) ?? []
    // DTSTART and DTEND are not allowed there, says the reference; what the double cannot expand is refused as well.
    if (!name || name === 'EXRULE' || (name === 'RRULE' && !readRule(value))) {
      throw invalid('Invalid recurrence rule.')
    }
  }
}
