import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { Json } from '../world.ts'
import { instantOf, tell } from './format-times.ts'
import type { Meeting, User } from './state.ts'

/** A meeting of valid JSON, in its host's account: developers.zoom.us/docs/api/meetings (create a meeting) */
export function makeMeeting(user: User, json: Json, now: number, source: 'open_api' | 'web_portal'): Meeting {
  // Eleven digits, which is more than 32 bits: «store it as a long format integer».
  const id = randomInt(80_000_000_000, 89_999_999_999)
  const timeZone = json.timezone ?? user.timeZone
  // Without a start it becomes an instant one that starts now.
  const isInstant = json.type === 1 || ((json.type ?? 2) === 2 && !json.start_time)
  const password = json.password ?? (json.default_password === false ? '' : passcode())
  const encrypted = createHash('sha256').update(`${id}${password}`).digest('base64url').slice(0, 32)
  const joinId = json.settings?.use_pmi === true ? user.pmi : id
  const meeting: Meeting = {
    uuid: randomBytes(16).toString('base64'),
    id,
    host_id: user.id,
    host_email: user.email,
    topic: json.topic ?? 'Zoom Meeting',
    type: isInstant ? 1 : (json.type ?? 2),
    status: 'waiting',
    ...(isInstant ? { start_time: tell(now) } : {}),
    ...(!isInstant && json.type !== 3 ? { start_time: tell(instantOf(json.start_time, timeZone)!) } : {}),
    duration: Number(json.duration ?? 60),
    timezone: timeZone,
    agenda: json.agenda ?? '',
    created_at: tell(now),
    // Good for two hours; getting the meeting makes another.
    start_url: `https://us05web.zoom.us/s/${joinId}?zak=${randomBytes(120).toString('base64url')}`,
    join_url: `https://us05web.zoom.us/j/${joinId}${password && `?pwd=${encrypted}.1`}`,
    ...(password && {
      password,
      h323_password: password,
      pstn_password: password,
      encrypted_password: `${encrypted}.1`,
    }),
    ...(json.recurrence && { recurrence: json.recurrence }),
    ...(json.tracking_fields && { tracking_fields: json.tracking_fields }),
    ...(joinId === user.pmi && { pmi: String(user.pmi) }),
    settings: { ...DEFAULT_SETTINGS, ...json.settings },
    creation_source: source,
    pre_schedule: json.pre_schedule ?? false,
  }
  user.meetings.set(id, meeting)
  return meeting
}

/**
 * «If the value is omitted or a date is in the past, the API ignores this value»: a start in the past changes nothing, and
 * the answer is 204 all the same. developers.zoom.us/docs/api/meetings (update a meeting)
 */
export function changeMeeting(meeting: Meeting, json: Json, now: number): void {
  const { start_time: startTime, settings, schedule_for: _, ...rest } = json
  const start = startTime ? instantOf(startTime, json.timezone ?? meeting.timezone) : null
  Object.assign(meeting, rest, { id: meeting.id })
  if (json.duration !== undefined) meeting.duration = Number(json.duration)
  if (start !== null && start > now) meeting.start_time = tell(start)
  if (settings) meeting.settings = { ...meeting.settings, ...settings }
}

/** Alphanumeric or `@-_*`, at most ten characters. */
function passcode(): string {
  return randomBytes(9).toString('base64').replace(/[+/=]/g, '@').slice(0, 6)
}

const DEFAULT_SETTINGS: Json = {
  host_video: false,
  participant_video: false,
  cn_meeting: false,
  in_meeting: false,
  join_before_host: false,
  jbh_time: 0,
  mute_upon_entry: false,
  watermark: false,
  use_pmi: false,
  approval_type: 2,
  audio: 'both',
  auto_recording: 'none',
  enforce_login: false,
  enforce_login_domains: '',
  alternative_hosts: '',
  alternative_hosts_email_notification: true,
  close_registration: false,
  registrants_email_notification: true,
  meeting_authentication: false,
  waiting_room: true,
  email_notification: true,
  encryption_type: 'enhanced_encryption',
  device_testing: false,
  push_change_to_calendar: false,
}
