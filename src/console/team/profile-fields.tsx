import type { Member } from '../../people/team/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { settingsTexts } from '../../platform/i18n/console/settings.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import { nameOfLanguage } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { LANGUAGES } from '../../platform/i18n/tags.ts'
import { isChecked, orNull } from '../form.ts'
import type { Form, MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { CheckField } from '../views/fields.tsx'
import { fieldsFor } from '../views/fields-for.tsx'

const NOTIFICATIONS = ['new', 'moved', 'cancelled', 'requested', 'daily_agenda'] as const

/** What of a member is their own: every role may change it of themselves, administrators of everybody. */
export type Profile = Pick<Member, 'name' | 'avatar_url' | 'timezone' | 'locale' | 'notifications'>

type Props = { readonly request: MemberRequest; readonly value: Profile; readonly trouble: Trouble }

export function ProfileFields({ request, value, trouble }: Props) {
  const { page, member } = request
  const { locale } = page
  const texts = textsOf(locale, teamTexts)
  const own = textsOf(locale, settingsTexts)
  const field = fieldsFor({ locale, trouble }, value)
  return (
    <>
      <section class="panel" aria-label={texts.profile}>
        {field.text('name', texts.name, { hint: texts.nameHint, autocomplete: 'name', isOptional: true })}
        {field.text('avatar_url', texts.picture, {
          hint: texts.pictureHint,
          inputmode: 'url',
          isOptional: true,
        })}
        <div class="pair">
          {field.zone('timezone', texts.timezone, { none: fill(own.noZone, { zone: member.timezone }) })}
          {field.select(
            'locale',
            texts.language,
            [{ value: '', text: own.noLanguage }, ...languageOptions(value.locale)],
            { hint: own.languageHint },
          )}
        </div>
      </section>
      <fieldset class="panel">
        <legend>{own.letters}</legend>
        {NOTIFICATIONS.map((kind) => (
          <CheckField
            key={kind}
            locale={locale}
            trouble={trouble}
            name={`notifications.${kind}`}
            label={own[kind]}
            isChecked={value.notifications[kind]}
          />
        ))}
      </fieldset>
    </>
  )
}

/** As it was typed, and as the endpoint takes it. */
export function readProfile(form: Form): Profile {
  const chosen = (kind: string) => isChecked(form, `notifications.${kind}`)
  return {
    name: orNull(form, 'name'),
    avatar_url: orNull(form, 'avatar_url'),
    timezone: orNull(form, 'timezone'),
    locale: orNull(form, 'locale'),
    notifications: {
      new: chosen('new'),
      moved: chosen('moved'),
      cancelled: chosen('cancelled'),
      requested: chosen('requested'),
      daily_agenda: chosen('daily_agenda'),
    },
  }
}

/** The languages to choose from, and the one that is chosen, however exactly it was named. */
export function languageOptions(chosen: string | null) {
  const isNamed = chosen === null || LANGUAGES.some((language) => language === chosen)
  return [
    ...LANGUAGES.map((language) => ({ value: language as string, text: nameOfLanguage(language) })),
    ...(isNamed ? [] : [{ value: chosen, text: chosen }]),
  ]
}
