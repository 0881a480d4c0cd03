import { brandingRoutes } from '../../booking/branding/routes.ts'
import type { Branding } from '../../booking/branding/schema.ts'
import { isUploaded } from '../../booking/images/address.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { imageTexts } from '../../platform/i18n/console/images.ts'
import { pageTexts } from '../../platform/i18n/console/page.ts'
import { ask, need } from '../ask.ts'
import { isChecked, orNull } from '../form.ts'
import { changedFields } from '../lost-update.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { ReadOnly } from '../views/read-only.tsx'
import { SavedPreview } from '../views/saved-preview.tsx'
import { LogoForms } from './logo-forms.tsx'
import { pageShell } from './page-shell.tsx'

/** Where nobody has chosen one yet. */
const USUAL_COLOR = '#3b5bdb'

export async function showAppearance(request: MemberRequest): Promise<Response> {
  return lookPage(request, await need(request, brandingRoutes.getBranding), {}, 200)
}

/** What was typed or uploaded, and what is wrong with it. */
type Sent = { readonly typed?: Branding; readonly trouble?: Trouble; readonly images?: Trouble }

export function lookPage(
  request: MemberRequest,
  branding: Branding,
  { typed, trouble = NO_TROUBLE, images = NO_TROUBLE }: Sent,
  status: number,
): Response {
  const { page, member } = request
  const texts = textsOf(page.locale, pageTexts)
  const shown = withoutUploads(request, branding)
  const fields = <Fields request={request} value={typed ?? shown} trouble={trouble} />
  return pageShell({
    request,
    here: '/console/page',
    status,
    children: (
      <div class="main-and-preview">
        {isRolePermitted(member.role, 'administer') ? (
          <div class="part">
            <LogoForms request={request} branding={branding} trouble={images} />
            <Form
              request={request}
              action="/console/page"
              hidden={{ was: (typed && request.form.get('was')) ?? JSON.stringify(shown) }}
              trouble={trouble}
              class="steps"
            >
              {fields}
              <FormEnd request={request} />
            </Form>
          </div>
        ) : (
          <ReadOnly text={texts.onlyLook}>{fields}</ReadOnly>
        )}
        <SavedPreview texts={texts} page={branding.listing_page_enabled ? `/book/${member.slug}` : null} />
      </div>
    ),
  })
}

/** Addresses of uploaded images are nobody's to type. */
function withoutUploads({ page }: MemberRequest, branding: Branding): Branding {
  const { env } = page.ctx
  const typed = (url: string | null) => (isUploaded(env, url) ? null : url)
  return { ...branding, logo_url: typed(branding.logo_url), logo_dark_url: typed(branding.logo_dark_url) }
}

type FieldsProps = { readonly request: MemberRequest; readonly value: Branding; readonly trouble: Trouble }

function Fields({ request, value, trouble }: FieldsProps) {
  const { locale } = request.page
  const texts = textsOf(locale, pageTexts)
  const field = fieldsFor(
    { locale, trouble },
    { ...value, has_color: value.accent_color !== null, accent_color: value.accent_color ?? USUAL_COLOR },
  )
  const hasAddress = value.logo_url !== null || value.logo_dark_url !== null
  const hasTrouble = ['logo_url', 'logo_dark_url'].some((name) => trouble.fields?.[name])
  const address = { inputmode: 'url', isOptional: true } as const
  return (
    <>
      <section class="panel" aria-label={texts.look}>
        <details class="folded" open={hasAddress || hasTrouble}>
          <summary>{textsOf(locale, imageTexts).byAddress}</summary>
          <div class="steps">
            {field.text('logo_url', texts.logoAddress, { hint: texts.logoHint, ...address })}
            {field.text('logo_dark_url', texts.logoDarkAddress, address)}
          </div>
        </details>
        {field.text('logo_alt_text', texts.logoAlt, { hint: texts.logoAltHint, isOptional: true })}
        <p class="hint">
          {texts.name}{' '}
          {isRolePermitted(request.member.role, 'administer') && (
            <a href="/console/settings/organization">{texts.toSettings}</a>
          )}
        </p>
      </section>
      <fieldset class="panel">
        <legend>{texts.colors}</legend>
        {field.check('has_color', texts.ownColor, { hint: texts.ownColorHint })}
        {field.text('accent_color', texts.color, { type: 'color' })}
      </fieldset>
      <section class="panel" aria-label={texts.listing}>
        {field.check('listing_page_enabled', texts.listing)}
        {field.check('remove_branding', texts.removeBranding, { hint: texts.removeBrandingHint })}
      </section>
      <fieldset class="panel">
        <legend>{texts.legal}</legend>
        <div class="pair">
          {field.text('imprint_url', texts.imprint, address)}
          {field.text('privacy_url', texts.privacy, address)}
        </div>
      </fieldset>
    </>
  )
}

export async function saveAppearance(request: MemberRequest): Promise<Response> {
  const { form, page, member } = request
  if (!isRolePermitted(member.role, 'administer')) return forbiddenPage(request)
  const typed: Branding = {
    logo_url: orNull(form, 'logo_url'),
    logo_dark_url: orNull(form, 'logo_dark_url'),
    logo_alt_text: orNull(form, 'logo_alt_text'),
    accent_color: isChecked(form, 'has_color') ? orNull(form, 'accent_color') : null,
    listing_page_enabled: isChecked(form, 'listing_page_enabled'),
    remove_branding: isChecked(form, 'remove_branding'),
    imprint_url: orNull(form, 'imprint_url'),
    privacy_url: orNull(form, 'privacy_url'),
  }
  const asked = await ask(request, brandingRoutes.updateBranding, { body: changedFields(form, typed) })
  if (asked.ok) return seeOther(page, '/console/page?done=1')
  const trouble = troubleOf(page.locale, asked.refusal, { at: { branding_needs_plan: 'remove_branding' } })
  const branding = await need(request, brandingRoutes.getBranding)
  return lookPage(request, branding, { typed, trouble }, formStatus(asked.refusal))
}
