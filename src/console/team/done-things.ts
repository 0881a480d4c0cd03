import { type ActivityEntry, ResourceType } from '../../outbox/activity/schema.ts'
import { actionTexts } from '../../platform/i18n/console/actions.ts'
import { activityTexts, resourceTexts } from '../../platform/i18n/console/activity.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'

type Type = ActivityEntry['resource_type']

/** What an action begins with that is done to a thing of another name. */
const DONE_TO: Readonly<Record<string, Type>> = {
  availability: 'event_type',
  host: 'event_type',
  waitlist: 'waitlist_entry',
  calendar: 'calendar_connection',
  conferencing: 'conferencing_connection',
  person: 'organization',
  test_data: 'organization',
}

export function actionText(locale: Locale, action: string): string {
  return (textsOf(locale, actionTexts) as Readonly<Record<string, string>>)[action] ?? action
}

/** All that can be done, by what it is done to. */
export function actionOptions(locale: Locale) {
  const names = textsOf(locale, resourceTexts)
  const { allOf } = textsOf(locale, activityTexts)
  const actions = Object.entries(textsOf(locale, actionTexts) as Readonly<Record<string, string>>)
  const typeOf = (action: string) => {
    const [subject = ''] = action.split('.')
    return DONE_TO[subject] ?? subject
  }
  return ResourceType.options
    .map((type) => ({
      name: names[type],
      options: [
        { value: type as string, text: fill(allOf, { type: names[type] }) },
        ...actions.flatMap(([value, text]) => (typeOf(value) === type ? [{ value, text }] : [])),
      ],
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, locale.tag))
}

const NAVIGATION: Readonly<Partial<Record<Type, `/console/${string}`>>> = {
  booking: '/console/bookings',
  waitlist_entry: '/console/bookings/waitlist',
  hold: '/console/bookings/holds',
  event_type: '/console/event-types',
  schedule: '/console/hours',
  time_off: '/console/hours/time-off',
  member: '/console/team',
  payment: '/console/payments',
}

/** Where the thing can be looked at; null where it has no screen, or is gone. */
export function placeOf({ action, resource_type: type, resource_id: id }: ActivityEntry): string | null {
  const place = NAVIGATION[type]
  const isGone = /\.(deleted|removed)$/.test(action) && type !== 'event_type'
  return place && id !== null && !isGone ? `${place}/${id}` : null
}
