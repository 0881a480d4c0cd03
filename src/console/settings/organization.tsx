import { isRolePermitted } from '../../auth/policy.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { settingsTexts } from '../../i18n/console/settings.ts'
import { shellTexts } from '../../i18n/console/shell.ts'
import { PUBLIC_LIMITS } from '../../limits/public-limits.ts'
import { seeOther } from '../../pages/respond.ts'
import { organizationRoutes } from '../../resources/organizations/routes.ts'
import { ask } from '../ask.ts'
import { numberIn } from '../form.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import { NO_TROUBLE, statusOf, type Trouble, toldTrouble } from '../told.ts'
import { SelectField, TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { ZoneField } from '../views/zone-field.tsx'
import type { Visit } from '../visit.ts'
import { settingsShell } from './settings-shell.tsx'
import { languageOptions } from './yourself.tsx'

const LIMITS = [
  'bookings_per_network_hour',
  'pending_per_network',
  'active_per_email',
  'waiting_per_email',
] as const

/** As they stand in the fields. */
type Typed = Readonly<
  Record<'name' | 'slug' | 'timezone' | 'locale' | 'hosts' | (typeof LIMITS)[number], string>
>

function typedOf({ member }: Visit): Typed {
  const text = (limit: number | null) => (limit === null ? '' : String(limit))
  return {
    name: member.name,
    slug: member.slug,
    timezone: member.timezone,
    locale: member.locale,
    hosts: (member.allowedRedirectHosts ?? []).join('\n'),
    bookings_per_network_hour: text(member.bookingsPerNetworkHour),
    pending_per_network: text(member.pendingPerNetwork),
    active_per_email: text(member.activePerEmail),
    waiting_per_email: text(member.waitingPerEmail),
  }
}

export async function showOrganization(visit: Visit): Promise<Response> {
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  return organizationPage(visit, typedOf(visit), NO_TROUBLE, 200)
}

function organizationPage(visit: Visit, typed: Typed, trouble: Trouble, status: number): Response {
  const { locale } = visit.page
  const texts = textsOf(locale, settingsTexts)
  const shared = { locale, trouble }
  return settingsShell({
    visit,
    here: '/console/settings/organization',
    status,
    children: (
      <Form visit={visit} action="/console/settings/organization" trouble={trouble} class="steps">
        <div class="panel">
          <div class="pair">
            <TextField {...shared} name="name" label={texts.organizationName} value={typed.name} />
            <TextField
              {...shared}
              name="slug"
              label={texts.slug}
              value={typed.slug}
              hint={texts.slugWarning}
              before="/book/"
            />
          </div>
          <div class="pair">
            <ZoneField
              {...shared}
              name="timezone"
              label={texts.organizationZone}
              value={typed.timezone}
              hint={texts.organizationZoneHint}
            />
            <SelectField
              {...shared}
              name="locale"
              label={texts.organizationLanguage}
              value={typed.locale}
              hint={texts.organizationLanguageHint}
              options={languageOptions(typed.locale)}
            />
          </div>
        </div>
        <fieldset class="panel">
          <legend>{texts.limits}</legend>
          <p class="soft">{texts.limitsHint}</p>
          <div class="pair">
            {LIMITS.map((limit) => (
              <TextField
                key={limit}
                {...shared}
                name={limit}
                label={texts[limit]}
                value={typed[limit]}
                placeholder={String(PUBLIC_LIMITS[limit])}
                inputmode="numeric"
                isOptional
              />
            ))}
          </div>
        </fieldset>
        <div class="panel">
          <TextField
            {...shared}
            name="hosts"
            label={texts.hosts}
            value={typed.hosts}
            hint={texts.hostsHint}
            rows={3}
            isOptional
          />
        </div>
        <div class="form-end">
          <button type="submit" class="button">
            {textsOf(locale, shellTexts).save}
          </button>
        </div>
      </Form>
    ),
  })
}

export async function changeOrganization(visit: Visit): Promise<Response> {
  const { form, page, organizationId } = visit
  if (!isRolePermitted(visit.member.role, 'administer')) return forbiddenPage(visit)
  const typed = Object.fromEntries(
    Object.keys(typedOf(visit)).map((name) => [name, form.get(name) ?? '']),
  ) as Typed
  const hosts = typed.hosts.split(/\s+/).filter((host) => host !== '')
  const asked = await ask(visit, organizationRoutes, 'updateOrganization', {
    params: { id: organizationId },
    body: {
      name: typed.name,
      slug: typed.slug,
      timezone: typed.timezone,
      locale: typed.locale,
      allowed_redirect_hosts: hosts.length === 0 ? null : hosts,
      public_limits: Object.fromEntries(LIMITS.map((limit) => [limit, numberIn(form, limit)])),
    },
  })
  if (asked.ok) return seeOther(page, '/console/settings/organization?done=1')
  const { slugTaken } = textsOf(page.locale, settingsTexts)
  const named = LIMITS.map((limit) => [`public_limits.${limit}`, limit])
  const trouble = toldTrouble(page.locale, asked.refusal, {
    fields: { ...Object.fromEntries(named), allowed_redirect_hosts: 'hosts' },
    codes: { conflict: { fields: { slug: slugTaken } } },
  })
  return organizationPage(visit, typed, trouble, statusOf(asked.refusal))
}
