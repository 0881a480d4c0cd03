import { urlAt } from '../../env.ts'
import { paymentProviderRoutes } from '../../money/provider/routes.ts'
import type { ProviderConnection } from '../../money/provider/schema.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { Refused } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import { subjectDateText } from '../../platform/i18n/format.ts'
import { ask } from '../ask.ts'
import { Facts } from '../bookings/facts.tsx'
import { askForProof } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { leaveFor } from '../views/leave.tsx'
import { countryOptions } from './countries.ts'
import { paymentsShell } from './payments-shell.tsx'

const HERE = '/console/payments/provider'

/** How the organization stands with the payment provider. */
export function showProvider(request: MemberRequest): Promise<Response> {
  return providerPage(request, NO_TROUBLE, 200)
}

async function providerPage(request: MemberRequest, trouble: Trouble, status: number): Promise<Response> {
  const { page, isTest } = request
  const texts = textsOf(page.locale, paymentsTexts)
  const asked = await ask(request, paymentProviderRoutes.getPaymentProviderStatus)
  // It is connected as it was; nobody can say how.
  if (!asked.ok && asked.refusal.code !== 'bad_gateway') throw new Refused(asked.refusal)
  const isOffered = isTest || Boolean(page.ctx.env.STRIPE_SECRET_KEY)
  return paymentsShell({
    request,
    here: HERE,
    status,
    trouble: asked.ok
      ? ({ ...trouble, ...(trouble.fields && { title: undefined }) } as Trouble)
      : { title: texts.providerFailed },
    children: isOffered ? (
      <Standing request={request} connection={asked.ok ? asked.body : null} trouble={trouble} />
    ) : (
      <p class="empty">{texts.unconfigured}</p>
    ),
  })
}

type StandingProps = {
  readonly request: MemberRequest
  readonly connection: ProviderConnection | null
  readonly trouble: Trouble
}

function Standing({ request, connection, trouble }: StandingProps) {
  const { page, zone, isTest, member } = request
  const { locale } = page
  const texts = textsOf(locale, paymentsTexts)
  if (connection === null) return null
  const { payment_provider_account_id: account, connected_at: at } = connection
  const { charges_enabled: takes, payouts_enabled: pays } = connection
  const mayChange = isRolePermitted(member.role, 'administer') && !isTest
  const badge = (isGood: boolean) => (
    <span class={isGood ? 'badge good' : 'badge warn'}>{isGood ? texts.yes : texts.no}</span>
  )
  const [title, text] =
    account === null
      ? [texts.unconnectedTitle, texts.unconnectedText]
      : takes
        ? [texts.connectedTitle, pays ? texts.connectedText : texts.payoutsMissing]
        : [texts.partlyTitle, texts.partlyText]
  return (
    <>
      <section class="panel">
        <header>
          <h2>{title}</h2>
          <p class="soft">{isTest ? texts.sandboxText : text}</p>
        </header>
        {account !== null && (
          <Facts
            facts={[
              [texts.charges, badge(takes)],
              [texts.payouts, badge(pays)],
              at && [texts.since, subjectDateText(locale, Date.parse(at), zone)],
              [texts.account, <code key="account">{account}</code>],
            ]}
          />
        )}
        {mayChange && (
          <ConnectForm
            request={request}
            isKnown={account !== null}
            isWhole={takes && pays}
            trouble={trouble}
          />
        )}
      </section>
      {mayChange && account !== null && (
        <details class="panel folded">
          <summary>{texts.disconnect}</summary>
          <Form request={request} action={`${HERE}/disconnect`}>
            <p class="soft">{texts.disconnectText}</p>
            <FormEnd request={request} text={texts.disconnect} tone="danger" />
          </Form>
        </details>
      )}
    </>
  )
}

type ConnectProps = {
  readonly request: MemberRequest
  readonly isKnown: boolean
  readonly isWhole: boolean
  readonly trouble: Trouble
}

function ConnectForm({ request, isKnown, isWhole, trouble }: ConnectProps) {
  const { form, page } = request
  const texts = textsOf(page.locale, paymentsTexts)
  const field = fieldsFor({ locale: page.locale, trouble }, { country: form.get('country') ?? '' })
  const none = { value: '', text: texts.chooseCountry }
  return (
    <Form request={request} action={HERE} trouble={trouble} class="steps">
      {!isKnown &&
        field.select('country', texts.country, [none, ...countryOptions(page.locale)], {
          hint: texts.countryHint,
        })}
      <FormEnd
        request={request}
        text={isWhole ? texts.change : isKnown ? texts.goOn : texts.connect}
        {...(isWhole && { tone: 'soft-button' })}
      />
    </Form>
  )
}

/** Leads to the page on which the payment provider asks its questions. */
export async function connectProvider(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const proof = await askForProof(request, HERE)
  if (proof) return proof
  const country = form.get('country')
  const asked = await ask(request, paymentProviderRoutes.connectPaymentProvider, {
    query: {
      redirect_url: urlAt(page.ctx.env, `${HERE}?done=back`),
      ...(country && { country }),
    },
  })
  if (asked.ok) return leaveFor(request, asked.body.url)
  return providerPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}

export async function disconnectProvider(request: MemberRequest): Promise<Response> {
  const { page } = request
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const proof = await askForProof(request, HERE)
  if (proof) return proof
  const asked = await ask(request, paymentProviderRoutes.disconnectPaymentProvider)
  if (asked.ok) return seeOther(page, `${HERE}?done=disconnected`)
  return providerPage(request, troubleOf(page.locale, asked.refusal), formStatus(asked.refusal))
}
