import type { Page } from '../../pages/page.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { entryPage } from '../views/entry-page.tsx'
import { fieldsFor } from '../views/fields-for.tsx'

export type NewOrganization = { readonly name: string; readonly timezone: string; readonly email: string }

type Own = {
  readonly action: string
  readonly hidden: readonly (readonly [string, string])[]
  /** Nothing is known of who makes it. */
  readonly asksEmail: boolean
}

export function readNewOrganization(page: Page, form: ReadonlyMap<string, string>): NewOrganization {
  return {
    name: form.get('name') ?? '',
    timezone: form.get('timezone') ?? page.zone ?? 'UTC',
    email: form.get('email') ?? '',
  }
}

export function newOrganizationForm(
  page: Page,
  wanted: NewOrganization,
  { action, hidden, asksEmail }: Own,
  trouble: Trouble = NO_TROUBLE,
): Response {
  const { locale } = page
  const texts = textsOf(locale, signInTexts)
  const field = fieldsFor({ locale, trouble }, wanted)
  return entryPage({
    page,
    title: texts.newTitle,
    lead: texts.newLead,
    status: trouble === NO_TROUBLE ? 200 : 422,
    children: (
      <form method="post" action={action} novalidate data-once={locale.texts.sending}>
        <HiddenFields fields={hidden} />
        {trouble.title && (
          <p class="problem" role="alert">
            {trouble.title}
          </p>
        )}
        {field.text('name', texts.name, {
          hint: texts.nameHint,
          autocomplete: 'organization',
          isFocused: true,
        })}
        {asksEmail &&
          field.text('email', texts.yourEmail, {
            hint: texts.yourEmailHint,
            inputmode: 'email',
            autocomplete: 'email',
          })}
        {field.zone('timezone', texts.timezone, {
          isGuessedZone: !page.isZoneKnown && trouble === NO_TROUBLE,
        })}
        <button type="submit" class="button wide">
          {texts.create}
        </button>
      </form>
    ),
  })
}
