import { Fragment } from 'preact'
import { GRACE_DAYS } from '../../operations/deletions/schema.ts'
import { seeOther } from '../../pages/respond.ts'
import { organizationRoutes } from '../../people/organizations/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { definedOnly } from '../../platform/http/defined-only.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { dataTexts } from '../../platform/i18n/console/data.ts'
import { deletionTexts } from '../../platform/i18n/console/deletion.ts'
import { settingsTexts } from '../../platform/i18n/console/settings.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { PUBLIC_LIMITS } from '../../platform/limits/public-limits.ts'
import { ask } from '../ask.ts'
import { numberIn } from '../form.ts'
import { changedByOthers, changedFields, expectedState, shownState } from '../lost-update.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { languageOptions } from '../team/profile-fields.tsx'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { settingsShell } from './settings-shell.tsx'

const LIMITS = [
  'bookings_per_network_hour',
  'pending_per_network',
  'active_per_email',
  'waiting_per_email',
  'attendees_per_booking',
  'sms_per_number_day',
  'sms_per_day',
] as const

/** As the fields show them. */
type Typed = Readonly<
  Record<
    | 'name'
    | 'slug'
    | 'timezone'
    | 'locale'
    | 'invitee_emails'
    | 'calendar_moves'
    | 'hosts'
    | (typeof LIMITS)[number],
    string
  >
>

function typedOf({ member }: MemberRequest): Typed {
  const text = (limit: number | null) => (limit === null ? '' : String(limit))
  return {
    name: member.name,
    slug: member.slug,
    timezone: member.timezone,
    locale: member.locale,
    invitee_emails: member.inviteeEmails,
    calendar_moves: member.calendarMoves,
    hosts: (member.allowedRedirectHosts ?? []).join('\n'),
    bookings_per_network_hour: text(member.bookingsPerNetworkHour),
    pending_per_network: text(member.pendingPerNetwork),
    active_per_email: text(member.activePerEmail),
    waiting_per_email: text(member.waitingPerEmail),
    attendees_per_booking: text(member.attendeesPerBooking),
    sms_per_number_day: text(member.smsPerNumberDay),
    sms_per_day: text(member.smsPerDay),
  }
}

export async function showOrganization(request: MemberRequest): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  return organizationPage(request, typedOf(request), NO_TROUBLE, 200)
}

function organizationPage(request: MemberRequest, typed: Typed, trouble: Trouble, status: number): Response {
  const { locale } = request.page
  const texts = textsOf(locale, settingsTexts)
  const field = fieldsFor({ locale, trouble }, typed)
  const shown = typedOf(request)
  return settingsShell({
    request,
    here: '/console/settings/organization',
    status,
    children: (
      <>
        <Form
          request={request}
          action="/console/settings/organization"
          hidden={shownState(
            { ...shown, updated_at: formatInstant(request.member.updatedAt) },
            Object.keys(shown),
          )}
          trouble={trouble}
          class="steps"
        >
          <div class="panel">
            <div class="pair">
              {field.text('name', texts.organizationName)}
              {field.text('slug', texts.slug, { hint: texts.slugWarning, before: '/book/' })}
              {field.zone('timezone', texts.organizationZone, { hint: texts.organizationZoneHint })}
              {field.select('locale', texts.organizationLanguage, languageOptions(typed.locale), {
                hint: texts.organizationLanguageHint,
              })}
              {field.select(
                'invitee_emails',
                texts.inviteeEmails,
                [
                  { value: 'all', text: texts.inviteeEmailsAll },
                  { value: 'none', text: texts.inviteeEmailsNone },
                ],
                { hint: texts.inviteeEmailsHint },
              )}
              {field.select(
                'calendar_moves',
                texts.calendarMoves,
                [
                  { value: 'ask', text: texts.calendarMovesAsk },
                  { value: 'follow', text: texts.calendarMovesFollow },
                ],
                { hint: texts.calendarMovesHint },
              )}
            </div>
          </div>
          <fieldset class="panel">
            <legend>{texts.limits}</legend>
            <p class="soft">{texts.limitsHint}</p>
            <div class="pair">
              {LIMITS.map((limit) => (
                <Fragment key={limit}>
                  {field.text(limit, texts[limit], {
                    placeholder: String(PUBLIC_LIMITS[limit]),
                    inputmode: 'numeric',
                    isOptional: true,
                  })}
                </Fragment>
              ))}
            </div>
          </fieldset>
          <div class="panel">
            {field.text('hosts', texts.hosts, { hint: texts.hostsHint, rows: 3, isOptional: true })}
          </div>
          <FormEnd request={request} />
        </Form>
        {isRolePermitted(request.member.role, 'own') && <Export request={request} />}
        {isRolePermitted(request.member.role, 'own') && <Delete request={request} />}
      </>
    ),
  })
}

function Export({ request }: { readonly request: MemberRequest }) {
  const texts = textsOf(request.page.locale, dataTexts)
  return (
    <section class="panel steps">
      <h2>{texts.exportTitle}</h2>
      <p class="soft">{texts.exportText}</p>
      {/* What is downloaded leaves the page as it is: it can be asked for again. */}
      <form method="post" action="/console/settings/export">
        <input type="hidden" name="csrf" value={request.csrf} />
        <FormEnd request={request} text={texts.exportNow} tone="soft-button" />
      </form>
      <p class="soft">{texts.calendarText}</p>
      <form method="post" action="/console/settings/export/calendar">
        <input type="hidden" name="csrf" value={request.csrf} />
        <FormEnd request={request} text={texts.calendarNow} tone="soft-button" />
      </form>
    </section>
  )
}

function Delete({ request }: { readonly request: MemberRequest }) {
  const texts = textsOf(request.page.locale, deletionTexts)
  return (
    <section class="panel">
      <h2>{texts.title}</h2>
      <p class="soft">{fill(texts.short, { days: String(GRACE_DAYS) })}</p>
      <div class="form-end">
        <a class="button soft-button" href="/console/settings/delete">
          {texts.open}
        </a>
      </div>
    </section>
  )
}

export async function changeOrganization(request: MemberRequest): Promise<Response> {
  const { form, page, organizationId } = request
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const typed = Object.fromEntries(
    Object.keys(typedOf(request)).map((name) => [name, form.get(name) ?? '']),
  ) as Typed
  const changed = changedFields(form, typed)
  const hosts = changed.hosts?.split(/\s+/).filter((host) => host !== '')
  const limits = LIMITS.filter((limit) => changed[limit] !== undefined)
  const asked = await ask(request, organizationRoutes.updateOrganization, {
    params: { id: organizationId },
    body: {
      ...definedOnly({
        name: changed.name,
        slug: changed.slug,
        timezone: changed.timezone,
        locale: changed.locale,
        invitee_emails: changed.invitee_emails,
        calendar_moves: changed.calendar_moves,
      }),
      ...(hosts && { allowed_redirect_hosts: hosts.length === 0 ? null : hosts }),
      public_limits: Object.fromEntries(limits.map((limit) => [limit, numberIn(form, limit)])),
      ...expectedState(form),
    },
  })
  if (asked.ok) return seeOther(page, '/console/settings/organization?done=1')
  const named = LIMITS.map((limit) => [`public_limits.${limit}`, limit])
  const others = changedByOthers(request, asked.refusal)
  if (others) return organizationPage(request, { ...typedOf(request), ...changed }, others, 409)
  const trouble = troubleOf(page.locale, asked.refusal, {
    fields: { ...Object.fromEntries(named), allowed_redirect_hosts: 'hosts' },
    at: { slug_taken: 'slug' },
  })
  return organizationPage(request, typed, trouble, formStatus(asked.refusal))
}
