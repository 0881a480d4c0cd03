import { isUploaded } from '../../booking/images/address.ts'
import type { Member } from '../../people/team/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { imageTexts } from '../../platform/i18n/console/images.ts'
import { settingsTexts } from '../../platform/i18n/console/settings.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import { nameOfLanguage } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { LANGUAGES } from '../../platform/i18n/tags.ts'
import { isChecked, orNull } from '../form.ts'
import { changedFields } from '../lost-update.ts'
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
        <details class="folded" open={value.avatar_url !== null}>
          <summary>{textsOf(locale, imageTexts).byAddress}</summary>
          {field.text('avatar_url', texts.pictureAddress, {
            hint: texts.pictureHint,
            inputmode: 'url',
            isOptional: true,
          })}
        </details>
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

/** A profile as its form shows it: the address of an uploaded picture is not for typing. */
export function typedProfile<P extends Profile>({ page }: MemberRequest, profile: P): P {
  return isUploaded(page.ctx.env, profile.avatar_url) ? { ...profile, avatar_url: null } : profile
}

/** What the form keeps, so that it replaces a picture only if another address was typed. */
export function shownPicture(request: MemberRequest, profile: Profile): { readonly was: string } {
  const { avatar_url } = typedProfile(request, profile)
  return { was: JSON.stringify({ avatar_url }) }
}

/** As it was typed, and as the endpoint takes it. */
export function readProfile(form: Form): Partial<Profile> {
  const chosen = (kind: string) => isChecked(form, `notifications.${kind}`)
  return changedFields(form, {
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
  })
}

/** The languages to choose from, and the one that is chosen, however exactly it was named. */
export function languageOptions(chosen: string | null) {
  const isNamed = chosen === null || LANGUAGES.some((language) => language === chosen)
  return [
    ...LANGUAGES.map((language) => ({ value: language as string, text: nameOfLanguage(language) })),
    ...(isNamed ? [] : [{ value: chosen, text: chosen }]),
  ]
}
