import { findPayersOnPage, type Payer } from '../../money/payments/payers/find-payers.ts'
import { paymentRoutes } from '../../money/payments/routes.ts'
import type { Payment, PaymentSummary } from '../../money/payments/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { moneyText, ownShortMomentText, pluralText } from '../../platform/i18n/format.ts'
import { need, sharedEnv } from '../ask.ts'
import { afterIn } from '../developers/more.tsx'
import type { MemberRequest } from '../request.ts'
import { SelectField } from '../views/fields.tsx'
import { GetForm } from '../views/get-form.tsx'
import { Sign } from '../views/icons.tsx'
import { paymentsShell } from './payments-shell.tsx'
import { PaymentBadge, STATUSES } from './status.tsx'

const A_PAGE = '50'

/** What was paid, by whom, and what it came to. */
export async function showPayments(request: MemberRequest): Promise<Response> {
  const { page } = request
  const { searchParams } = page.url
  const status = STATUSES.find((one) => one === searchParams.get('status'))
  const after = afterIn(page.url)
  const query = { limit: A_PAGE, ...(status && { status }), ...after }
  const [{ data, has_more: hasMore }, summary, payers] = await Promise.all([
    need(request, paymentRoutes.listPayments, { query }),
    need(request, paymentRoutes.getPaymentSummary),
    findPayersOnPage(sharedEnv(request), request, query),
  ])
  const texts = textsOf(page.locale, paymentsTexts)
  const { more, newest } = textsOf(page.locale, shellTexts)
  const next = new URLSearchParams({ ...(status && { status }), after: data.at(-1)?.id ?? '' })
  return paymentsShell({
    request,
    here: '/console/payments',
    children: (
      <>
        <Sums request={request} summary={summary} />
        {(data.length > 0 || status) && (
          <GetForm action="/console/payments" class="search short-search" sendsOnChange>
            <SelectField
              locale={page.locale}
              name="status"
              label={texts.filter}
              value={status ?? ''}
              options={[
                { value: '', text: texts.all },
                ...STATUSES.map((value) => ({ value, text: texts[value] })),
              ]}
            />
            <button type="submit" class="soft-button">
              {texts.apply}
            </button>
          </GetForm>
        )}
        {data.length === 0 ? (
          <Nothing request={request} isFiltered={status !== undefined} />
        ) : (
          <Table request={request} payments={data} payers={payers} />
        )}
        {hasMore && (
          <p>
            <a class="button soft-button" href={`/console/payments?${next}`}>
              {more}
            </a>
          </p>
        )}
        {after.starting_after && (
          <p>
            <a href={`/console/payments${status ? `?status=${status}` : ''}`}>{newest}</a>
          </p>
        )}
      </>
    ),
  })
}

function Nothing({ request, isFiltered }: { readonly request: MemberRequest; readonly isFiltered: boolean }) {
  const texts = textsOf(request.page.locale, paymentsTexts)
  if (isFiltered) return <p class="empty">{texts.noneOfStatus}</p>
  return (
    <div class="empty">
      <Sign name="price" />
      <strong>{texts.noneTitle}</strong>
      <span>{texts.noneText}</span>
      <a class="button soft-button" href="/console/payments/provider">
        {texts.getPaid}
      </a>
    </div>
  )
}

/** Sums of different currencies are listed beside each other and never added up. */
function Sums({ request, summary }: { readonly request: MemberRequest; readonly summary: PaymentSummary }) {
  const { locale } = request.page
  const texts = textsOf(locale, paymentsTexts)
  if (summary.by_currency.length === 0) return null
  return (
    <section class="part" aria-label={texts.sums}>
      {summary.by_currency.map((sums) => {
        const money = (amount: number) => moneyText(locale, amount, sums.currency)
        const told = [
          [texts.revenue, money(sums.total_revenue)],
          [texts.refundedSum, money(sums.total_refunded)],
          [texts.fees, money(sums.platform_fees)],
          ...(sums.total_dispute_lost > 0 ? [[texts.lostSum, money(sums.total_dispute_lost)] as const] : []),
        ] as const
        return (
          <div key={sums.currency}>
            <dl class="figures">
              {told.map(([name, sum]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{sum}</dd>
                </div>
              ))}
            </dl>
            {sums.pending_count > 0 && (
              <p class="soft">{pluralText(locale, texts.open, sums.pending_count)}</p>
            )}
          </div>
        )
      })}
    </section>
  )
}

type TableProps = {
  readonly request: MemberRequest
  readonly payments: readonly Payment[]
  readonly payers: readonly Payer[]
}

function Table({ request, payments, payers }: TableProps) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, paymentsTexts)
  const byId = new Map(payers.map((one) => [one.id, one]))
  return (
    <div class="table-wrap">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">{texts.payer}</th>
            <th scope="col">{texts.what}</th>
            <th scope="col" class="number">
              {texts.amount}
            </th>
            <th scope="col">{texts.status}</th>
            <th scope="col">{texts.when}</th>
          </tr>
        </thead>
        <tbody>
          {payments.map(({ id, amount, currency, refunded_amount: back, status, created_at: at }) => {
            const payer = byId.get(id)
            return (
              <tr key={id}>
                <td>
                  <a href={`/console/payments/${id}`}>
                    <bdi>{payer?.inviteeName || texts.erased}</bdi>
                  </a>
                </td>
                <td>
                  <bdi>{payer?.title}</bdi>
                  {payer && <span class="soft"> · {ownShortMomentText(locale, payer.startTime, zone)}</span>}
                </td>
                <td class="number">
                  {moneyText(locale, amount, currency)}
                  {back > 0 && <span class="soft"> −{moneyText(locale, back, currency)}</span>}
                </td>
                <td>
                  <PaymentBadge request={request} status={status} />
                </td>
                <td>{ownShortMomentText(locale, Date.parse(at), zone)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
