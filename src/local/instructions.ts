import { DAY_MS } from '../core/time-units.ts'
import { Api } from './api.ts'
import type { EventType } from './demo-event-types.ts'
import type { Demo } from './seed.ts'

const LAST_DAY = 7

type Slot = { readonly start_time: string }

/** What to try now. The slot to book is one that is open at this moment, a day ahead where there is one. */
export async function instructionsFor(url: string, demo: Demo, pretended: Pretended | null): Promise<string> {
  const { organization, eventTypes, liveKey, testKey, consoleUrl } = demo
  const page = `${url}/book/${organization.slug}`
  return `
Holdfast runs at ${url}

${columns([
  ['Booking page', page],
  ...eventTypes.map(({ slug, title }) => [title, `${page}/${slug}`] as const),
  ['OpenAPI', `${url}/v1/openapi.json`],
  ...(pretended ? pretendedRows(pretended, page) : []),
])}

${await curlLines(url, eventTypes)}

Ctrl-C stops it. The data stays for the next npm start. Every request is logged with: npm start -- --verbose

${columns([
  ['Live key', liveKey],
  ['Test key', testKey],
  ['Console', `${consoleUrl} (works once)`],
])}
`
}

/** The doubles of providers and the accounts of theirs that are connected. */
type Pretended = {
  readonly url: string
  readonly account: string
  readonly paidAccount: string
  readonly paid: EventType
}

const CALENDLY_TOKEN = 'eyJraWQiOiJkb3VibGUifQ.ada.signature'
const CALCOM_KEY = 'cal_live_double_ada'

function pretendedRows(
  { url, account, paidAccount, paid }: Pretended,
  page: string,
): readonly (readonly [string, string])[] {
  return [
    ['Calendar', `${account}, at a pretend Google`],
    ['Its events', `${url}/google/demo/control?as=${account}`],
    ['Payments', `${paidAccount}, at a pretend Stripe`],
    [paid.title, `${page}/${paid.slug}`],
    ['To pay', `curl -X POST ${url}/stripe/demo/control/intents/pi_…/pay`],
    ['Messages', `${url}/twilio/demo/control`],
    ['To import', `${CALENDLY_TOKEN}, at a pretend Calendly`],
    ['', `${CALCOM_KEY}, at a pretend Cal.com`],
  ]
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join('\n')
}

async function curlLines(url: string, eventTypes: readonly EventType[]): Promise<string> {
  const now = Date.now()
  for (const eventType of eventTypes) {
    const slotsUrl = slotsUrlOf(url, eventType, now)
    const { status, body } = await new Api('').call<{ slots: Slot[] }>('GET', slotsUrl)
    const open = status === 200 ? body.slots : []
    const slot = open.find(({ start_time }) => Date.parse(start_time) > now + DAY_MS) ?? open.at(-1)
    if (slot) return threeLines(url, slotsUrl, eventType.id, slot)
  }
  return 'The demo has no open slot in the coming week: cancel a booking, or give an event type more hours.'
}

function slotsUrlOf(url: string, { id, timezone }: EventType, now: number): string {
  const [start, end] = [now, now + LAST_DAY * DAY_MS].map((at) => new Date(at).toISOString().slice(0, 10))
  return `${url}/v1/availability?event_type_id=${id}&start=${start}&end=${end}&timezone=${timezone}`
}

/** For any POSIX shell. The second line keeps its answer in a variable, which the third reads with `expr`. */
function threeLines(url: string, slotsUrl: string, eventTypeId: string, { start_time }: Slot): string {
  const body = JSON.stringify({
    event_type_id: eventTypeId,
    start_time,
    invitee_name: 'Ada Lovelace',
    invitee_email: 'ada@example.com',
  })
  return `See the open slots, book one, cancel it; paste the lines one after another:

curl -s -w '\\n' '${slotsUrl}'

booking=$(curl -s ${url}/v1/bookings -H 'Content-Type: application/json' -d '${body}'); echo "$booking"

curl -s -w '\\n' -X POST "${url}/v1/bookings/$(${capture('id')})/cancel?token=$(${capture('cancel_token')})"`
}

function capture(field: 'id' | 'cancel_token'): string {
  const before = field === 'id' ? '{' : '.*'
  return `expr "$booking" : '${before}"${field}":"\\([^"]*\\)'`
}
