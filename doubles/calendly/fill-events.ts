import { instantAt } from '../wall-clock.ts'
import { LOCATIONS } from './fill-locations.ts'
import { ALONE, PEOPLE, STUDIO } from './people.ts'
import { type Invited, PLANS, type Plan, person } from './plan-events.ts'
import { type Calendly, put, type Resource, tell } from './state.ts'

const { sol } = PEOPLE
const HOUR = 3_600_000

export function fillEvents(calendly: Calendly): void {
  PLANS.forEach((plan, order) => {
    schedule(calendly, plan, order)
  })
}

/** Many more of one kind, for pages. */
export function scheduleMany(calendly: Calendly, count: number): void {
  for (let at = 0; at < count; at++)
    schedule(
      calendly,
      {
        uuid: `MANY${String(at).padStart(12, '0')}`,
        eventType: 'CEMONECEMONECEMO',
        name: '15 Minute Meeting',
        day: 30 + Math.floor(at / 20),
        at: `${String(6 + Math.floor((at % 20) / 2)).padStart(2, '0')}:${at % 2 ? '30' : '00'}`,
        minutes: 15,
        hosts: ['cem'],
        invitees: [person(`Invitee ${at}`)],
      },
      100 + at,
    )
}

function schedule(calendly: Calendly, plan: Plan, order: number): void {
  const now = calendly.frame.now()
  const [hour, minute] = plan.at.split(':').map(Number)
  const midnight = Math.floor(now / (24 * HOUR)) * 24 * HOUR
  const start = instantAt('Europe/Berlin', midnight + (plan.day * 24 + hour!) * HOUR + minute! * 60_000)
  const hosts = (plan.hosts ?? ['ada']).map((short) => PEOPLE[short])
  const uri = `@scheduled_events/${plan.uuid}`
  const times = { created_at: tell(now - (1000 - order) * 60_000), updated_at: tell(now - 500 * 60_000) }
  const { limit = 1, event_guests = [], ...event } = plan.event ?? {}
  put(calendly, 'scheduled_events', {
    uuid: plan.uuid,
    uri,
    name: plan.name,
    meeting_notes_plain: null,
    meeting_notes_html: null,
    status: 'active',
    start_time: tell(start),
    end_time: tell(start + plan.minutes * 60_000),
    event_type: plan.eventType && `@event_types/${plan.eventType}`,
    location: LOCATIONS.custom,
    invitees_counter: {
      total: plan.invitees.length,
      active: plan.invitees.filter(({ status }) => status !== 'canceled').length,
      limit,
    },
    ...times,
    event_memberships: hosts.map((host) => ({
      user: `@users/${host.uuid}`,
      user_email: calendly.resources.users.get(host.uuid)!.email,
      user_name: host.name,
      buffered_start_time: tell(start - 5 * 60_000),
      buffered_end_time: tell(start + (plan.minutes + 10) * 60_000),
    })),
    event_guests: event_guests.map((email: string) => ({ email, ...times })),
    calendar_event: { kind: 'google', external_id: plan.uuid.toLowerCase() },
    ...event,
    hosts: hosts.map(({ uuid }) => uuid),
    organization_of: hosts[0] === sol ? ALONE : STUDIO,
  } as Resource)
  plan.invitees.forEach((invited, at) => {
    invite(
      calendly,
      plan.uuid,
      `${plan.uuid}-${at + 1}`,
      invited,
      tell(now - (1000 - order) * 60_000 + at * 1000),
    )
  })
}

/** developer.calendly.com/api-docs (invitee) */
function invite(calendly: Calendly, event: string, uuid: string, invited: Invited, createdAt: string): void {
  const { tracking, ...told } = invited
  put(calendly, 'invitees', {
    uuid,
    uri: `@scheduled_events/${event}/invitees/${uuid}`,
    // Names are one field or two, as the event type asks.
    first_name: null,
    last_name: null,
    status: 'active',
    questions_and_answers: [],
    timezone: 'Europe/Berlin',
    event: `@scheduled_events/${event}`,
    created_at: createdAt,
    updated_at: createdAt,
    tracking: {
      utm_campaign: null,
      utm_source: null,
      utm_medium: null,
      utm_content: null,
      utm_term: null,
      salesforce_uuid: null,
      ...tracking,
    },
    text_reminder_number: null,
    rescheduled: false,
    old_invitee: null,
    new_invitee: null,
    cancel_url: `https://calendly.com/cancellations/${uuid}`,
    reschedule_url: `https://calendly.com/reschedulings/${uuid}`,
    routing_form_submission: null,
    payment: null,
    no_show: null,
    reconfirmation: null,
    scheduling_method: null,
    invitee_scheduled_by: null,
    ...told,
    event_of: event,
  } as Resource)
}
