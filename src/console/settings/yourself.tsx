import { formStatus } from '../../http/form-status.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { settingsTexts } from '../../i18n/console/settings.ts'
import { nameOfLanguage } from '../../i18n/locale.ts'
import { fill } from '../../i18n/plural.ts'
import { LANGUAGES } from '../../i18n/tags.ts'
import { seeOther } from '../../pages/respond.ts'
import { memberRoutes } from '../../resources/team/member-routes.ts'
import type { Member } from '../../resources/team/schema.ts'
import { ask, need } from '../ask.ts'
import { isChecked, orNull } from '../form.ts'
import { NO_TROUBLE, type Trouble, toldTrouble } from '../told.ts'
import { CheckField } from '../views/fields.tsx'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import type { Visit } from '../visit.ts'
import { settingsShell } from './settings-shell.tsx'

const NOTIFICATIONS = ['new', 'moved', 'cancelled', 'requested', 'daily_agenda'] as const

/** What of a member is their own: every role may change it. */
type Own = Pick<Member, 'name' | 'timezone' | 'locale' | 'notifications'>

function paramsOf({ organizationId, member }: Visit) {
  return { params: { orgId: organizationId, memberId: member.memberId } }
}

export async function showYourself(visit: Visit): Promise<Response> {
  return yourselfPage(
    visit,
    await need<Member>(visit, memberRoutes, 'getMember', paramsOf(visit)),
    NO_TROUBLE,
    200,
  )
}

/** The languages to choose from, and the one that is chosen, however exactly it was named. */
export function languageOptions(chosen: string | null) {
  const isNamed = chosen === null || LANGUAGES.some((language) => language === chosen)
  return [
    ...LANGUAGES.map((language) => ({ value: language as string, text: nameOfLanguage(language) })),
    ...(isNamed ? [] : [{ value: chosen, text: chosen }]),
  ]
}

function yourselfPage(visit: Visit, own: Own, trouble: Trouble, status: number): Response {
  const { page, member } = visit
  const { locale } = page
  const texts = textsOf(locale, settingsTexts)
  const shared = { locale, trouble }
  const field = fieldsFor(shared, own)
  return settingsShell({
    visit,
    here: '/console/settings',
    status,
    children: (
      <Form visit={visit} action="/console/settings" trouble={trouble} class="steps">
        <div class="panel">
          {field.text('name', texts.name, { hint: texts.nameHint, autocomplete: 'name', isOptional: true })}
          {field.zone('timezone', texts.timezone, { none: fill(texts.noZone, { zone: member.timezone }) })}
          {field.select(
            'locale',
            texts.language,
            [{ value: '', text: texts.noLanguage }, ...languageOptions(own.locale)],
            { hint: texts.languageHint },
          )}
        </div>
        <fieldset class="panel">
          <legend>{texts.letters}</legend>
          {NOTIFICATIONS.map((kind) => (
            <CheckField
              key={kind}
              {...shared}
              name={`notifications.${kind}`}
              label={texts[kind]}
              isChecked={own.notifications[kind]}
            />
          ))}
        </fieldset>
        <FormEnd visit={visit} />
      </Form>
    ),
  })
}

export async function changeYourself(visit: Visit): Promise<Response> {
  const { form, page } = visit
  const chosen = (kind: string) => isChecked(form, `notifications.${kind}`)
  const own: Own = {
    name: orNull(form, 'name'),
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
  const asked = await ask(visit, memberRoutes, 'updateMember', { ...paramsOf(visit), body: own })
  if (asked.ok) return seeOther(page, '/console/settings?done=1')
  return yourselfPage(visit, own, toldTrouble(page.locale, asked.refusal), formStatus(asked.refusal))
}
