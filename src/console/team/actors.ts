import type { ActivityEntry } from '../../outbox/activity/schema.ts'
import type { Member } from '../../people/team/schema.ts'
import { activityTexts } from '../../platform/i18n/console/activity.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { nameOf } from '../hours/people.ts'

/** Whom the log may name. */
export type People = {
  readonly members: readonly Member[]
  readonly keys: readonly { readonly id: string; readonly name: string }[]
}

/** The actor, as people call them. */
export function actorOf(
  locale: Locale,
  { actor_type: type, actor_id: id }: Pick<ActivityEntry, 'actor_type' | 'actor_id'>,
  { members, keys }: People,
): string {
  const texts = textsOf(locale, activityTexts)
  switch (type) {
    case 'user': {
      const member = members.find(({ user_id }) => user_id === id)
      return member ? nameOf(member) : fill(texts.formerMember, { id: id ?? '' })
    }
    case 'api_key': {
      const key = keys.find((one) => one.id === id)
      return key ? fill(texts.byKey, { name: key.name }) : texts.aKey
    }
    case 'service':
      return texts.operator
    case 'invitee':
      return texts.invitee
    case 'system':
      return texts.system
  }
}
