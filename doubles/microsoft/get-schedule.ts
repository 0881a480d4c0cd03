import type { Call, Json, Reply } from '../world.ts'
import { liveEvents } from './accounts.ts'
import { instancesIn } from './expand-series.ts'
import { badRequest } from './graph-reply.ts'
import { readTime, wallText } from './local-time.ts'
import { bodyOf } from './read-body.ts'
import type { Account } from './state.ts'

/** The documentation of Exchange's free/busy views: less than 62 days. */
const LONGEST_MS = 62 * 86_400_000

/** learn.microsoft.com/graph/api/calendar-getschedule; times come in UTC. */
export function getSchedule(account: Account, call: Call): Reply {
  const said = bodyOf(call)
  const read = (time: Json | undefined) => readTime(time?.dateTime ?? '', time?.timeZone ?? 'UTC')
  const [fromMs, toMs] = [read(said.startTime), read(said.endTime)]
  if (!Array.isArray(said.schedules) || fromMs === null || toMs === null)
    throw badRequest('The request is invalid.', 'ErrorInvalidParameter')
  if (toMs - fromMs >= LONGEST_MS)
    throw badRequest(
      'The requested time duration specified for FreeBusyViewOptions.TimeWindow is not within the allowed limits.',
      'ErrorInvalidParameter',
    )
  const value = said.schedules.map((address: string) => scheduleOf(account, address, fromMs, toMs))
  return { status: 200, json: { '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata', value } }
}

function scheduleOf(account: Account, address: string, fromMs: number, toMs: number): Json {
  const calendars = account.calendars.filter((one) => !one.isGone && one.ownerMail === address)
  if (calendars.length === 0)
    return {
      scheduleId: address,
      availabilityView: '',
      error: {
        message: `Mail recipient was not found for the given address ${address}.`,
        responseCode: 'ErrorMailRecipientNotFound',
      },
    }
  const events = calendars.flatMap(({ key }) => liveEvents(account, key))
  const scheduleItems = events
    .flatMap((event) => instancesIn(event, fromMs, toMs))
    .map(({ fields }) => ({
      isPrivate: false,
      status: fields.showAs,
      start: { dateTime: wallText(fields.start.ms), timeZone: 'UTC' },
      end: { dateTime: wallText(fields.end.ms), timeZone: 'UTC' },
    }))
  return { scheduleId: address, availabilityView: '', scheduleItems }
}
