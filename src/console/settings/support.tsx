import { supportRoutes } from '../../delivery/support/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { dataTexts } from '../../platform/i18n/console/data.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { ask, need } from '../ask.ts'
import { afterIn, More } from '../developers/more.tsx'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { settingsShell } from './settings-shell.tsx'

const HERE = '/console/settings/support'
const CATEGORIES = ['question', 'bug', 'feature', 'billing'] as const

export function showSupport(request: MemberRequest): Promise<Response> {
  return supportPage(request, NO_TROUBLE, 200)
}

async function supportPage(request: MemberRequest, trouble: Trouble, status: number): Promise<Response> {
  const { page, form, member, zone } = request
  const { locale } = page
  const texts = textsOf(locale, dataTexts)
  const { data, has_more } = await need(request, supportRoutes.listSupportRequests, {
    query: { limit: '20', ...afterIn(page.url) },
  })
  const typed = {
    subject: form.get('subject') ?? '',
    category: form.get('category') ?? 'question',
    message: form.get('message') ?? '',
  }
  const field = fieldsFor({ locale, trouble }, typed)
  return settingsShell({
    request,
    here: HERE,
    status,
    done: texts.sent,
    children: (
      <>
        {isRolePermitted(member.role, 'book') && (
          <Form request={request} action={HERE} trouble={trouble} once class="panel steps">
            <p class="soft">{texts.supportLead}</p>
            <div class="pair">
              {field.text('subject', texts.subject)}
              {field.select(
                'category',
                texts.category,
                CATEGORIES.map((value) => ({ value, text: texts[value] })),
              )}
            </div>
            {field.text('message', texts.message, { rows: 6 })}
            <FormEnd request={request} text={texts.send} />
          </Form>
        )}
        <section class="part steps">
          <h2>{texts.asked}</h2>
          {data.length === 0 ? (
            <p class="soft">{texts.noRequests}</p>
          ) : (
            <ul class="rows">
              {data.map(({ id, subject, message, category, created_at }) => (
                <li key={id}>
                  <div>
                    <strong>
                      <bdi>{subject}</bdi>
                    </strong>
                    <p class="soft">
                      {texts[category]} · {ownShortMomentText(locale, Date.parse(created_at), zone)}
                    </p>
                    <p class="pre" dir="auto">
                      {message}
                    </p>
                  </div>
                  <span class="badge">{texts.open}</span>
                </li>
              ))}
            </ul>
          )}
          <More request={request} to={HERE} last={has_more ? data.at(-1)!.id : null} />
        </section>
      </>
    ),
  })
}

export async function askForHelp(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const body = {
    subject: form.get('subject') ?? '',
    category: form.get('category') ?? '',
    message: form.get('message') ?? '',
  }
  const asked = await ask(request, supportRoutes.createSupportRequest, { body })
  if (asked.ok) return seeOther(page, `${HERE}?done=1`)
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  return supportPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
