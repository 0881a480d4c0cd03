import type { Bank, Notice } from './bank.ts'
import type { Asked } from './caller.ts'
import type { Organization } from './kinds.ts'
import type { Ledger, Paid } from './ledger.ts'
import { address, type Draws, keyOf, type Operation } from './operation.ts'
import { PRICE } from './world.ts'

/** So many of a hundred bookings meet a provider that fails. */
const TROUBLED = 15
const OUTCOME = /"type": "payment_intent\.(succeeded|payment_failed)"/

/** Draws what payers, their bank and those who refund do with bookings that have a price. */
export class PaymentOperations {
  readonly #ledger: Ledger
  readonly #draws: Draws
  readonly #bank: Bank
  readonly #open: Paid[] = []

  constructor(ledger: Ledger, draws: Draws, bank: Bank) {
    this.#ledger = ledger
    this.#draws = draws
    this.#bank = bank
  }

  next(organization: Organization, start: string): Operation {
    const { below } = this.#draws
    const dice = below(20)
    if (dice < 7 || this.#open.length === 0) return this.#book(organization, start)
    const at = this.#open.length - 1 - below(Math.min(20, this.#open.length))
    const [paid] = this.#open.splice(at, 1) as [Paid]
    if (dice < 12) return this.#pay(paid, below(4) === 0 ? 'decline' : 'succeed')
    if (dice < 14) return this.#hear('hear again', paid)
    if (dice < 16) return paid.isPaid ? this.#refund(paid) : this.#pay(paid, 'succeed')
    if (dice < 17)
      return this.#act('sync payment', paid, `/v1/payments/${paid.paymentId}/sync`, paid.organizationId)
    return this.#act('cancel paid', paid, `/v1/bookings/${paid.id}/cancel?token=${paid.token}`)
  }

  #book({ id: organizationId, paidId: eventTypeId }: Organization, start: string): Operation {
    const email = address()
    const paid: Paid = {
      ...{ email, organizationId, eventTypeId, start, isRefused: false, isPaid: false },
      ...{ id: null, token: null, paymentId: null, intentId: null },
    }
    this.#ledger.paid.push(paid)
    const person = { invitee_name: 'Ada', invitee_email: email }
    const body = { event_type_id: eventTypeId, start_time: start, ...person }
    const asked = { method: 'POST', path: '/v1/bookings', body, key: keyOf(this.#draws) }
    return {
      name: 'book paid',
      asked,
      prepare: async () => {
        if (this.#draws.below(100) < TROUBLED) await this.#bank.trouble(this.#draws)
        return asked
      },
      mayFail: true,
      settle: ({ status, body: made }) => {
        // The first request with the key may still be at work.
        const isUndecided = String(made.error?.message).includes('Idempotency-Key')
        paid.isRefused = status >= 400 && status < 500 && !isUndecided
        if (status !== 201) return
        paid.id = made.id
        paid.token = made.cancel_token
        paid.paymentId = made.payment.id
        paid.intentId = made.payment.client_secret?.split('_secret_')[0] ?? null
        if (paid.intentId !== null) this.#open.push(paid)
      },
    }
  }

  /** The payer pays or is refused, and the provider notifies the service, or not yet. */
  #pay(paid: Paid, how: 'succeed' | 'decline'): Operation {
    const told = this.#hear(how === 'succeed' ? 'pay' : 'pay in vain', paid)
    const isSilent = this.#draws.below(4) === 0
    return {
      ...told,
      prepare: async () => {
        await this.#bank.pay(paid.intentId!, how)
        paid.isPaid ||= how === 'succeed'
        if (isSilent) return this.#show(paid)
        const notices = await this.#bank.noticesOf(paid.intentId!)
        const outcome = notices.findLast(({ body }) => OUTCOME.test(body))
        return outcome ? askedOf(outcome) : this.#show(paid)
      },
    }
  }

  /** Any of what the provider has posted about it: late, again and in any order. */
  #hear(name: string, paid: Paid): Operation {
    return {
      name,
      asked: this.#show(paid),
      prepare: async () => {
        const notices = await this.#bank.noticesOf(paid.intentId!)
        return notices.length === 0 ? this.#show(paid) : askedOf(this.#draws.pick(notices))
      },
      settle: () => {
        this.#open.push(paid)
      },
    }
  }

  #show({ id, organizationId }: Paid): Asked {
    return { method: 'GET', path: `/v1/bookings/${id}`, as: organizationId }
  }

  #refund(paid: Paid): Operation {
    const amount = this.#draws.pick([100, PRICE / 2, PRICE])
    return this.#act('refund', paid, `/v1/payments/${paid.paymentId}/refund`, paid.organizationId, { amount })
  }

  #act(name: string, paid: Paid, path: string, as?: string, body = {}): Operation {
    return {
      name,
      asked: { method: 'POST', path, body, key: keyOf(this.#draws), ...(as !== undefined && { as }) },
      mayFail: true,
      settle: () => {
        this.#open.push(paid)
      },
    }
  }
}

export function askedOf({ headers, body }: Notice): Asked {
  return { method: 'POST', path: '/v1/payment-provider/webhook', raw: { headers, body } }
}
