import { wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { paymentRoutes } from '../../money/payments/routes.ts'
import { testDataRoutes } from '../../operations/sandbox/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { notFound } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { sandboxTexts } from '../../platform/i18n/console/sandbox.ts'
import { momentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { developersShell } from './developers-shell.tsx'
import { afterIn } from './more.tsx'
import { Outbox, type OutboxPage } from './outbox.tsx'
import { type PaymentPage, TestPayments } from './test-payments.tsx'

export const SANDBOX = '/console/developers/sandbox'
const DONE = ['filled', 'emptied', 'clockSet', 'changed'] as const

export async function showSandbox(visit: MemberRequest): Promise<Response> {
  return sandboxPage(visit, {}, 200)
}

/** What went wrong with which of its forms. */
type SandboxTroubles = {
  readonly data?: Trouble
  readonly clock?: Trouble
  readonly payments?: Trouble
}

/** What only test data has: its making, its clock, its payments and its outbox. */
export async function sandboxPage(
  visit: MemberRequest,
  troubles: SandboxTroubles,
  status: number,
): Promise<Response> {
  if (!visit.isTest) throw notFound('sandbox')
  const { page, member } = visit
  const texts = textsOf(page.locale, sandboxTexts)
  const isAdmin = isRolePermitted(member.role, 'administer')
  const [payments, outbox] = await Promise.all([
    need<PaymentPage>(visit, paymentRoutes, 'listPayments', { query: { limit: '10' } }),
    // Letters carry tokens, so not everybody reads them.
    isAdmin
      ? need<OutboxPage>(visit, testDataRoutes, 'listOutbox', {
          query: { limit: '20', ...afterIn(page.url) },
        })
      : null,
  ])
  const said = page.url.searchParams.get('done')
  const done = DONE.find((one) => one === said)
  return developersShell({
    visit,
    here: SANDBOX,
    lead: texts.lead,
    done: done && texts[done],
    status,
    children: (
      <>
        {isAdmin && (
          <div class="columns">
            <TestData visit={visit} />
            <ClockForm visit={visit} trouble={troubles.clock} />
          </div>
        )}
        <TestPayments visit={visit} payments={payments} mayChange={isAdmin} trouble={troubles.payments} />
        {outbox && <Outbox visit={visit} outbox={outbox} />}
      </>
    ),
  })
}

function TestData({ visit }: { readonly visit: MemberRequest }) {
  const texts = textsOf(visit.page.locale, sandboxTexts)
  return (
    <section class="panel">
      <h2>{texts.data}</h2>
      <Form visit={visit} action={`${SANDBOX}/fill`} class="part" once>
        <p class="soft">{texts.dataText}</p>
        <FormEnd visit={visit} text={texts.fill} />
      </Form>
      <details class="folded">
        <summary>{texts.empty}</summary>
        <Form visit={visit} action={`${SANDBOX}/empty`} class="part">
          <p>{texts.emptyText}</p>
          <FormEnd visit={visit} text={texts.emptyIt} tone="danger" />
        </Form>
      </details>
    </section>
  )
}

type ClockProps = { readonly visit: MemberRequest; readonly trouble: Trouble | undefined }

function ClockForm({ visit, trouble = NO_TROUBLE }: ClockProps) {
  const { page, member, zone, now, form } = visit
  const { locale } = page
  const texts = textsOf(locale, sandboxTexts)
  const stands = member.sandboxNow
  const wall = new Date(wallTimeOf(zoneTable(zone, now, now), now)).toISOString().slice(0, 16)
  return (
    <section class="panel">
      <h2>{texts.clock}</h2>
      <p>
        {stands === null ? texts.clockReal : fill(texts.clockNow, { time: momentText(locale, stands, zone) })}
      </p>
      <p class="soft">{texts.clockText}</p>
      <Form visit={visit} action={`${SANDBOX}/clock`} trouble={trouble} class="part">
        <TextField
          {...{ locale, trouble }}
          name="now"
          label={texts.clockTime}
          hint={fill(texts.clockHint, { zone: zone.replaceAll('_', ' ') })}
          type="datetime-local"
          value={form.get('now') ?? wall}
        />
        <FormEnd visit={visit} text={texts.setClock} />
      </Form>
      {stands !== null && (
        <Form visit={visit} action={`${SANDBOX}/clock`} hidden={{ real: '1' }}>
          <FormEnd visit={visit} text={texts.realClock} tone="soft-button" />
        </Form>
      )}
    </section>
  )
}
