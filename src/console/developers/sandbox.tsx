import { wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { paymentRoutes } from '../../money/payments/routes.ts'
import { testDataRoutes } from '../../operations/sandbox/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { notFound } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { sandboxTexts } from '../../platform/i18n/console/sandbox.ts'
import { ownMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { developersShell } from './developers-shell.tsx'
import { afterIn } from './more.tsx'
import { Outbox } from './outbox.tsx'
import { TestPayments } from './test-payments.tsx'

export const SANDBOX = '/console/developers/sandbox'
const DONE = ['filled', 'emptied', 'clockSet', 'changed'] as const

export async function showSandbox(request: MemberRequest): Promise<Response> {
  return sandboxPage(request, {}, 200)
}

/** What went wrong with which of its forms. */
type SandboxTroubles = {
  readonly data?: Trouble
  readonly clock?: Trouble
  readonly payments?: Trouble
}

/** What only test data has: its making, its clock, its payments and its outbox. */
export async function sandboxPage(
  request: MemberRequest,
  troubles: SandboxTroubles,
  status: number,
): Promise<Response> {
  if (!request.isTest) throw notFound('sandbox')
  const { page, member } = request
  const texts = textsOf(page.locale, sandboxTexts)
  const isAdmin = isRolePermitted(member.role, 'administer')
  const [payments, outbox] = await Promise.all([
    need(request, paymentRoutes.listPayments, { query: { limit: '10' } }),
    // Emails contain tokens, so not every member reads them.
    isAdmin
      ? need(request, testDataRoutes.listOutbox, {
          query: { limit: '20', ...afterIn(page.url) },
        })
      : null,
  ])
  const said = page.url.searchParams.get('done')
  const done = DONE.find((one) => one === said)
  return developersShell({
    request,
    here: SANDBOX,
    lead: texts.lead,
    done: done && texts[done],
    status,
    children: (
      <>
        {isAdmin && (
          <div class="columns">
            <TestData request={request} />
            <ClockForm request={request} trouble={troubles.clock} />
          </div>
        )}
        <TestPayments request={request} payments={payments} mayChange={isAdmin} trouble={troubles.payments} />
        {outbox && <Outbox request={request} outbox={outbox} />}
      </>
    ),
  })
}

function TestData({ request }: { readonly request: MemberRequest }) {
  const texts = textsOf(request.page.locale, sandboxTexts)
  return (
    <section class="panel">
      <h2>{texts.data}</h2>
      <Form request={request} action={`${SANDBOX}/fill`} class="part" once>
        <p class="soft">{texts.dataText}</p>
        <FormEnd request={request} text={texts.fill} />
      </Form>
      <details class="folded">
        <summary>{texts.empty}</summary>
        <Form request={request} action={`${SANDBOX}/empty`} class="part">
          <p>{texts.emptyText}</p>
          <FormEnd request={request} text={texts.emptyIt} tone="danger" />
        </Form>
      </details>
    </section>
  )
}

type ClockProps = { readonly request: MemberRequest; readonly trouble: Trouble | undefined }

function ClockForm({ request, trouble = NO_TROUBLE }: ClockProps) {
  const { page, member, zone, now, form } = request
  const { locale } = page
  const texts = textsOf(locale, sandboxTexts)
  const stands = member.sandboxNow
  const wall = new Date(wallTimeOf(zoneTable(zone, now, now), now)).toISOString().slice(0, 16)
  const field = fieldsFor({ locale, trouble }, { now: form.get('now') ?? wall })
  return (
    <section class="panel">
      <h2>{texts.clock}</h2>
      <p>
        {stands === null
          ? texts.clockReal
          : fill(texts.clockNow, { time: ownMomentText(locale, stands, zone) })}
      </p>
      <p class="soft">{texts.clockText}</p>
      <Form request={request} action={`${SANDBOX}/clock`} trouble={trouble} class="part">
        {field.text('now', texts.clockTime, {
          hint: fill(texts.clockHint, { zone: zone.replaceAll('_', ' ') }),
          type: 'datetime-local',
        })}
        <FormEnd request={request} text={texts.setClock} />
      </Form>
      {stands !== null && (
        <Form request={request} action={`${SANDBOX}/clock`} hidden={{ real: '1' }}>
          <FormEnd request={request} text={texts.realClock} tone="soft-button" />
        </Form>
      )}
    </section>
  )
}
