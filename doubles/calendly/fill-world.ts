import { fillEventTypes } from './fill-event-types.ts'
import { fillEvents } from './fill-events.ts'
import { fillSchedules } from './fill-schedules.ts'
import { ALONE, PEOPLE, STUDIO } from './people.ts'
import { type Calendly, put, tell } from './state.ts'

/** A studio of three on a paid plan, and somebody alone on the free one; each has a token. */
export function fillWorld(calendly: Calendly): void {
  const now = calendly.frame.now()
  const times = { created_at: tell(now - 400 * 86_400_000), updated_at: tell(now - 30 * 86_400_000) }
  put(
    calendly,
    'organizations',
    {
      uuid: STUDIO,
      uri: `@organizations/${STUDIO}`,
      name: 'Berger Studio',
      plan: 'teams',
      stage: 'paid',
      ...times,
    },
    {
      uuid: ALONE,
      uri: `@organizations/${ALONE}`,
      name: 'Sol Marín',
      plan: 'basic',
      stage: 'free',
      ...times,
    },
  )
  for (const [short, person] of Object.entries(PEOPLE)) {
    const uri = `@users/${person.uuid}`
    const told = {
      uri,
      name: person.name,
      slug: `${short}-${person.uuid.slice(0, 4).toLowerCase()}`,
      email: person.email,
      scheduling_url: `https://calendly.com/${short}`,
      timezone: person.timezone,
      avatar_url: null,
      ...times,
    }
    put(calendly, 'users', {
      uuid: person.uuid,
      ...told,
      time_notation: short === 'cem' ? '12h' : '24h',
      locale: short === 'ada' ? 'de' : 'en',
      current_organization: `@organizations/${person.of}`,
      resource_type: 'User',
    })
    const membership = `M${person.uuid.slice(1)}`
    put(calendly, 'organization_memberships', {
      uuid: membership,
      uri: `@organization_memberships/${membership}`,
      role: person.role,
      user: told,
      organization: `@organizations/${person.of}`,
      ...times,
      organization_of: person.of,
    })
    calendly.tokens.push({
      token: `eyJraWQiOiJkb3VibGUifQ.${short}.signature`,
      user: person.uuid,
      state: 'valid',
      scopes: null,
    })
  }
  fillSchedules(calendly)
  fillEventTypes(calendly)
  fillEvents(calendly)
}
