import { bookingRoutes } from '../../booking/bookings/routes.ts'
import { deletionRoutes } from '../../operations/deletions/routes.ts'
import { type Deletion, GRACE_DAYS } from '../../operations/deletions/schema.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { deletionTexts } from '../../platform/i18n/console/deletion.ts'
import { ownMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need } from '../ask.ts'
import { askForProof } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { settingsShell } from './settings-shell.tsx'

const HERE = '/console/settings/delete'
const MOST_COUNTED = 100
const DAYS = { days: String(GRACE_DAYS) }

/** What would happen, or when it does. */
export async function showDeletion(request: MemberRequest): Promise<Response> {
  const { member, organizationId } = request
  if (!isRolePermitted(member.role, 'own')) return forbiddenPage(request)
  if (member.deletesAt === null) return deletionPage(request, NO_TROUBLE, 200)
  const deletion = await need(request, deletionRoutes.getDeletion, {
    params: { id: organizationId },
  })
  return scheduledPage(request, deletion)
}

async function deletionPage(request: MemberRequest, trouble: Trouble, status: number): Promise<Response> {
  const { page, member } = request
  const { locale } = page
  const texts = textsOf(locale, deletionTexts)
  const count = await countToCome(request)
  return settingsShell({
    request,
    here: '/console/settings/organization',
    status,
    done: texts.kept,
    children: (
      <div class="part steps">
        <section class="panel">
          <h2>{texts.title}</h2>
          <h3>{texts.now}</h3>
          <ul>
            <li>{texts.nowPages}</li>
            <li>{fill(texts.nowBookings, { count })}</li>
            <li>{texts.nowEmails}</li>
            <li>{texts.nowPlan}</li>
          </ul>
          <h3>{fill(texts.grace, DAYS)}</h3>
          <p>{texts.graceText}</p>
          <h3>{texts.afterwards}</h3>
          <p>{texts.afterwardsText}</p>
          <p>
            <a href="/console/settings/organization">{texts.exportFirst}</a>
          </p>
        </section>
        <Form request={request} action={HERE} trouble={trouble} class="panel">
          <TextField
            {...{ locale, trouble }}
            name="name"
            label={fill(texts.typeName, { name: member.name })}
            value=""
          />
          <FormEnd request={request} text={texts.delete} tone="danger" />
        </Form>
      </div>
    ),
  })
}

/** How many live bookings begin later, as it is told. */
async function countToCome(request: MemberRequest): Promise<string> {
  const live = { ...request, isTest: false }
  const { data, has_more } = await need(live, bookingRoutes.listBookings, {
    query: {
      status: 'confirmed,rescheduled,pending_approval,pending_payment',
      start_after: new Date().toISOString(),
      limit: String(MOST_COUNTED),
    },
  })
  return has_more ? `${MOST_COUNTED}+` : String(data.length)
}

function scheduledPage(request: MemberRequest, deletion: Deletion): Response {
  const { page, zone } = request
  const texts = textsOf(page.locale, deletionTexts)
  const time = ownMomentText(page.locale, Date.parse(deletion.deletes_at), zone)
  const isTheirs = deletion.requested_by === 'owner'
  const text =
    deletion.status === 'deleting'
      ? texts.underWay
      : isTheirs
        ? fill(texts.until, { time })
        : texts.byOperator
  return settingsShell({
    request,
    here: '/console/settings/organization',
    done: texts.asked,
    children: (
      <section class="panel">
        <h2>{texts.scheduled}</h2>
        <p>{text}</p>
        {isTheirs && deletion.status === 'scheduled' && (
          <Form request={request} action={`${HERE}/take-back`}>
            <FormEnd request={request} text={texts.withdraw} />
          </Form>
        )}
      </section>
    ),
  })
}

/** Schedules the deletion, after the name was typed and the member has proven who they are. */
export async function deleteFromConsole(request: MemberRequest): Promise<Response> {
  const { page, form, member, organizationId } = request
  if (!isRolePermitted(member.role, 'own')) return forbiddenPage(request)
  if ((form.get('name') ?? '').trim() !== member.name.trim()) {
    const { notTheName } = textsOf(page.locale, deletionTexts)
    return deletionPage(request, { fields: { name: notTheName } }, 422)
  }
  const proof = await askForProof(request, HERE)
  if (proof) return proof
  const asked = await ask(request, deletionRoutes.deleteOrganization, { params: { id: organizationId } })
  if (asked.ok) return seeOther(page, `${HERE}?done=1`)
  return deletionPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}

export async function takeBackFromConsole(request: MemberRequest): Promise<Response> {
  const { page, member, organizationId } = request
  if (!isRolePermitted(member.role, 'own')) return forbiddenPage(request)
  const asked = await ask(request, deletionRoutes.takeBackDeletion, { params: { id: organizationId } })
  // A member who is too late, or withdraws it twice, sees the current state.
  return seeOther(page, asked.ok ? `${HERE}?done=1` : HERE)
}
