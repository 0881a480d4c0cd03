import type { Page } from '../../pages/page.ts'
import { HiddenFields } from '../../pages/views/hidden-fields.tsx'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { entryPage } from '../views/entry-page.tsx'
import { TextField } from '../views/fields.tsx'
import { ZoneField } from '../views/zone-field.tsx'

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
  const shared = { locale, trouble }
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
        <TextField
          {...shared}
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          value={wanted.name}
          autocomplete="organization"
          isFocused
        />
        {asksEmail && (
          <TextField
            {...shared}
            name="email"
            label={texts.yourEmail}
            hint={texts.yourEmailHint}
            value={wanted.email}
            inputmode="email"
            autocomplete="email"
          />
        )}
        <ZoneField
          {...shared}
          name="timezone"
          label={texts.timezone}
          value={wanted.timezone}
          isGuessedZone={!page.isZoneKnown && trouble === NO_TROUBLE}
        />
        <button type="submit" class="button wide">
          {texts.create}
        </button>
      </form>
    ),
  })
}
