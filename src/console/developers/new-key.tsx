import { DAY_MS } from '../../core/time-units.ts'
import { apiKeyRoutes } from '../../people/api-keys/routes.ts'
import type { CreatedApiKey } from '../../people/api-keys/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { developersTexts } from '../../platform/i18n/console/developers.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import { askForProof } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { CopyLine } from '../views/copy-line.tsx'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { CurlLines } from './curl-lines.tsx'
import { firstEventType } from './keys.tsx'

const LASTS = ['30', '90', '365'] as const

export async function showNewKey(request: MemberRequest): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  return (await askForProof(request, '/console/developers/keys/new')) ?? newKeyPage(request, NO_TROUBLE, 200)
}

function newKeyPage(request: MemberRequest, trouble: Trouble, status: number): Response {
  const { page, isTest } = request
  const { locale } = page
  const texts = textsOf(locale, developersTexts)
  const shared = textsOf(locale, shellTexts)
  const field = fieldsFor({ locale, trouble }, typedIn(request))
  return shell({
    request,
    title: texts.newKey,
    lead: fill(texts.yours, { mode: isTest ? shared.test : shared.live }),
    back: { to: '/console/developers', text: texts.keys },
    status,
    children: (
      <Form
        request={request}
        action="/console/developers/keys/new"
        trouble={trouble}
        class="panel steps"
        once
      >
        {field.text('name', texts.name, { hint: texts.nameHint, autocomplete: 'off', isFocused: true })}
        {field.text('description', texts.description, { isOptional: true })}
        {field.select(
          'expires',
          texts.expires,
          [
            { value: '', text: texts.never },
            ...LASTS.map((days) => ({ value: days, text: texts[`days${days}`] })),
          ],
          { isOptional: true },
        )}
        <FormEnd request={request} text={texts.create} />
      </Form>
    ),
  })
}

function typedIn({ form }: MemberRequest) {
  const typed = (name: string) => form.get(name) ?? ''
  return { name: typed('name'), description: typed('description'), expires: typed('expires') }
}

/** The key is on this page alone: who goes back to it finds another form. */
export async function createKeyInConsole(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const proof = await askForProof(request, '/console/developers/keys/new')
  if (proof) return proof
  const asked = await ask(request, apiKeyRoutes.createApiKey, {
    body: {
      name: form.get('name') ?? '',
      description: orNull(form, 'description'),
      expires_at: endIn(request),
    },
  })
  if (asked.ok) return madePage(request, asked.body)
  const trouble = troubleOf(page.locale, asked.refusal, { fields: { expires_at: 'expires' } })
  return newKeyPage(request, trouble, formStatus(asked.refusal))
}

/** A value that is not a choice is sent as it is, so that the endpoint refuses it. */
function endIn({ form, now }: MemberRequest): string | null {
  const days = orNull(form, 'expires')
  if (days === null || !(LASTS as readonly string[]).includes(days)) return days
  return new Date(Math.max(now, realNow()) + Number(days) * DAY_MS).toISOString()
}

async function madePage(request: MemberRequest, { key, name }: CreatedApiKey): Promise<Response> {
  const { locale } = request.page
  const texts = textsOf(locale, developersTexts)
  const eventTypeId = await firstEventType(request)
  return shell({
    request,
    title: texts.madeTitle,
    lead: <bdi>{name}</bdi>,
    done: texts.shownOnce,
    children: (
      <>
        <section class="panel" aria-label={texts.keyLabel}>
          <CopyLine locale={locale} text={key} />
          <div class="form-end">
            <a class="button" href="/console/developers">
              {texts.done}
            </a>
          </div>
        </section>
        <CurlLines request={request} secret={key} eventTypeId={eventTypeId} />
      </>
    ),
  })
}
