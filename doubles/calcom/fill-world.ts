import { fillBookings } from './fill-bookings.ts'
import { fillEventTypes } from './fill-event-types.ts'
import { fillSchedules } from './fill-schedules.ts'
import { PEOPLE, TEAM } from './people.ts'
import { type Cal, put } from './state.ts'

/** A studio of three and somebody alone, each with a key. */
export function fillWorld(cal: Cal): void {
  put(cal, 'teams', {
    ...TEAM,
    parentId: null,
    logoUrl: null,
    bio: null,
    hideBranding: false,
    isOrganization: false,
    timeZone: 'Europe/London',
    weekStart: 'Sunday',
  })
  Object.values(PEOPLE).forEach(({ role, ...person }, at) => {
    const { id, name, username, email } = person
    put(cal, 'users', {
      ...person,
      avatarUrl: null,
      bio: null,
      timeFormat: username === 'cem' ? 12 : 24,
      defaultScheduleId: 1000 + at,
      weekStart: 'Monday',
      locale: username === 'ada' ? 'de' : 'en',
      organizationId: null,
    })
    cal.keys.push({ key: `cal_live_double_${username}`, userId: id, state: 'valid' })
    if (role === null) return
    put(cal, 'memberships', {
      id: 500 + at,
      userId: id,
      teamId: TEAM.id,
      accepted: true,
      role,
      disableImpersonation: false,
      user: { email, username, name, avatarUrl: null, bio: null, metadata: {} },
    })
  })
  // Invited, and never answered.
  put(cal, 'memberships', {
    id: 599,
    userId: 199,
    teamId: TEAM.id,
    accepted: false,
    role: 'MEMBER',
    disableImpersonation: false,
    user: { email: 'dora@example.com', username: null, name: null, avatarUrl: null, bio: null },
  })
  fillSchedules(cal)
  fillEventTypes(cal)
  fillBookings(cal)
}
