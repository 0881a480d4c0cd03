import { isZone } from '../wall-clock.ts'
import type { Call, Json, Reply } from '../world.ts'
import { refuse, refuseFields } from './answer-errors.ts'
import { instantOf } from './format-times.ts'
import type { User } from './state.ts'

/** developers.zoom.us/docs/api/meetings */
const LENGTHS = { topic: 200, agenda: 2000, password: 10 } as const
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  type: [1, 2, 3, 8, 10],
  'settings.audio': ['both', 'telephony', 'voip', 'thirdParty'],
  'settings.auto_recording': ['local', 'cloud', 'none'],
  'settings.approval_type': [0, 1, 2],
  'settings.registration_type': [1, 2, 3],
  'settings.jbh_time': [0, 5, 10, 15],
  'settings.calendar_type': [1, 2],
  'settings.encryption_type': ['enhanced_encryption', 'e2ee'],
}

/** The JSON of a request that makes or changes a meeting, or what is wrong with it. */
export function readMeeting(call: Call, user: User): Json | Reply {
  if (!call.headers['content-type']?.startsWith('application/json'))
    return refuse(400, 300, 'Unsupported Content Type')
  const json = parse(call.body)
  // developers.zoom.us/docs/api/errors
  if (json === null) return refuse(400, 300, 'Request Body should be a valid JSON object.')
  const errors = [...wrongFields(json)].map((field) => ({ field, message: 'Invalid field.' }))
  if (errors.length > 0) return refuseFields(errors)
  const scheduleFor = json.schedule_for
  if (scheduleFor !== undefined && json.type === 1)
    return refuse(
      400,
      3000,
      "Instant meetings do not support the `schedule_for` parameter, and you can't schedule an instant meeting for another user.",
    )
  if (scheduleFor !== undefined && ![user.email, user.id].includes(scheduleFor))
    return refuse(400, 3000, `You cannot schedule a meeting for ${scheduleFor}`)
  return json
}

function* wrongFields(json: Json): Generator<string> {
  for (const [field, length] of Object.entries(LENGTHS)) {
    const value = json[field]
    if (value !== undefined && (typeof value !== 'string' || value.length > length)) yield field
  }
  for (const [field, choices] of Object.entries(CHOICES)) {
    const [name, inner] = field.split('.') as [string, string?]
    const value = inner ? json[name]?.[inner] : json[name]
    if (value !== undefined && !choices.includes(value)) yield field
  }
  const { duration, timezone, start_time: startTime, settings } = json
  if (duration !== undefined && !(Number.isInteger(Number(duration)) && Number(duration) >= 0))
    yield 'duration'
  if (timezone !== undefined && !isZone(timezone)) yield 'timezone'
  if (startTime !== undefined && startTime !== '' && instantOf(startTime, 'UTC') === null) yield 'start_time'
  if (settings !== undefined && (typeof settings !== 'object' || settings === null)) yield 'settings'
}

function parse(body: string): Json | null {
  try {
    const json = JSON.parse(body)
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : null
  } catch {
    return null
  }
}
