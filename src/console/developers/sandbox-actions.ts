import { instantOf, parseDate, parseTimeOfDay, zoneTable } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { testPaymentRoutes } from '../../operations/sandbox/payment-routes.ts'
import { testDataRoutes } from '../../operations/sandbox/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { notFound, Refused } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { sandboxTexts } from '../../platform/i18n/console/sandbox.ts'
import { ask, need } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { SANDBOX, sandboxPage } from './sandbox.tsx'

export async function fillSandbox(request: MemberRequest): Promise<Response> {
  await need(request, testDataRoutes.createTestData)
  return seeOther(request.page, `${SANDBOX}?done=filled`)
}

export async function emptySandbox(request: MemberRequest): Promise<Response> {
  await need(request, testDataRoutes.deleteTestData)
  return seeOther(request.page, `${SANDBOX}?done=emptied`)
}

/** The time is typed in the request's zone. */
export async function changeClock(request: MemberRequest): Promise<Response> {
  const { page, form, zone } = request
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const now = form.has('real') ? null : instantIn(form.get('now') ?? '', zone)
  if (now === undefined) {
    const { sayTime } = textsOf(page.locale, sandboxTexts)
    return sandboxPage(request, { clock: { fields: { now: sayTime } } }, 422)
  }
  const asked = await ask(request, testDataRoutes.setClock, { body: { now } })
  if (asked.ok) return seeOther(page, `${SANDBOX}?done=clockSet`)
  if (asked.refusal.code !== 'validation_error') throw new Refused(asked.refusal)
  return sandboxPage(request, { clock: troubleOf(page.locale, asked.refusal) }, formStatus(asked.refusal))
}

/** `2027-03-01T09:00` on the clocks of the zone; undefined when it is not a valid time. */
function instantIn(typed: string, zone: string): string | undefined {
  const [date = '', time = ''] = typed.split('T')
  const [midnight, sinceMidnight] = [parseDate(date), parseTimeOfDay(time)]
  if (midnight === null || sinceMidnight === null) return undefined
  const table = zoneTable(zone, midnight - DAY_MS, midnight + 2 * DAY_MS)
  return new Date(instantOf(table, midnight + sinceMidnight)).toISOString()
}

const { succeedTestPayment, failTestPayment, processTestPayment, disputeTestPayment } = testPaymentRoutes
const SIMULATIONS = new Map<string, typeof succeedTestPayment>([
  ['succeed', succeedTestPayment],
  ['fail', failTestPayment],
  ['process', processTestPayment],
])
const DISPUTES: ReadonlyMap<string, string> = new Map([
  ['dispute', 'open'],
  ['inquiry', 'inquiry'],
  ['won', 'won'],
  ['lost', 'lost'],
])

export async function simulatePayment(
  request: MemberRequest,
  { id = '', what = '' }: Params,
): Promise<Response> {
  const { page } = request
  const status = DISPUTES.get(what)
  const simulation = SIMULATIONS.get(what)
  if (!status && !simulation) throw notFound('action')
  const params = { id }
  const asked = simulation
    ? await ask(request, simulation, { params })
    : await ask(request, disputeTestPayment, { params, body: { status } })
  if (asked.ok) return seeOther(page, `${SANDBOX}?done=changed`)
  if (asked.refusal.code !== 'conflict') throw new Refused(asked.refusal)
  return sandboxPage(request, { payments: troubleOf(page.locale, asked.refusal) }, formStatus(asked.refusal))
}
