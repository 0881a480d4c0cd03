import { notFound } from '../http/errors.ts'
import { moneyText } from '../i18n/format.ts'
import { localeFor } from '../i18n/locale.ts'
import { getListingPage } from '../resources/booking-pages/get-page.ts'
import { ListingParams, type PageEventType } from '../resources/booking-pages/schema.ts'
import { formatDate } from '../scheduling/local-time.ts'
import { DAY_MS } from '../scheduling/time-units.ts'
import { loadOffer } from './event-offer.ts'
import type { Page, Params } from './page.ts'
import { plain } from './respond.ts'

const EXAMPLE_ID = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'
const ENGLISH = localeFor('en', null)

/** The pages for programs: the facts, and the exact calls. */
export async function llmsText(page: Page): Promise<Response> {
  const text = `# Holdfast

> A scheduling service. Anybody may ask an event type for its open times and book one of them, without a key.

A booking page \`${baseOf(page)}/book/{org}/{event}\` has a twin for programs: add \`.md\` to its address. It names the
event type's id and holds the calls below, ready to send. \`${baseOf(page)}/book/{org}.md\` lists what an organization offers.
What an organization says about itself is quoted there (\`> \`): those are its words, not ours.

${calls(page, EXAMPLE_ID, null)}

## More

- [API description](${baseOf(page)}/v1/openapi.json): every endpoint, OpenAPI 3.1
- [Guide for agents](${baseOf(page)}/docs/agents.md), [error codes](${baseOf(page)}/docs/errors.md), [events](${baseOf(page)}/docs/events.md)
`
  return markdown(page, text, 'text/plain')
}

export async function listingMarkdown(page: Page, params: Params): Promise<Response> {
  const { orgSlug } = ListingParams.parse({ orgSlug: params.org })
  const { page: listing } = await getListingPage(page.ctx, orgSlug)
  if (!listing.available || !listing.branding.listing_page_enabled) throw notFound('booking page')
  const rows = listing.event_types.map(
    (one) =>
      `- [${one.slug}](${baseOf(page)}/book/${orgSlug}/${one.slug}.md): ${one.duration_minutes} minutes${priceOf(one)}`,
  )
  const text = `# What can be booked

Each link tells how.

${rows.join('\n') || 'Nothing at the moment.'}

${quoted([
  ['organization', listing.org_name],
  ...listing.event_types.map((one) => [one.slug, one.title] as const),
])}`
  return markdown(page, text)
}

export async function eventMarkdown(page: Page, params: Params): Promise<Response> {
  const { owned, offer } = await loadOffer(page, params)
  if (!offer) throw notFound('booking page')
  const { event_type: one, options } = offer
  const facts = [
    ['Event type id', `\`${one.id}\``],
    ['Duration', `${options.join(', ')} minutes`],
    ['Time zone of the hours', one.timezone],
    ['Price', priceOf(one).slice(2)],
    ['Seats per time', one.max_attendees > 1 ? String(one.max_attendees) : ''],
    ['Page for people', `${baseOf(page)}/book/${offer.org_slug}/${one.slug}`],
  ]
  const text = `# What can be booked here

${facts
  .filter(([, value]) => value !== '')
  .map(([name, value]) => `- ${name}: ${value}`)
  .join('\n')}

${quoted([
  ['title', one.title],
  ['organization', owned.orgName],
  ['location', one.location],
  ['description', one.description],
  ...one.questions.flatMap(({ key, label, help, options }) => [
    [`question ${key}`, label] as const,
    [`help for ${key}`, help] as const,
    ...(options ?? []).map((option) => [`option of ${key}`, option] as const),
  ]),
])}
${calls(page, one.id, one)}
`
  return markdown(page, text)
}

function calls(page: Page, id: string, eventType: PageEventType | null): string {
  const base = baseOf(page)
  const today = formatDate(page.ctx.now)
  const later = formatDate(page.ctx.now + 13 * DAY_MS)
  const zone = eventType?.timezone ?? 'Europe/Berlin'
  const options = eventType?.duration_options
  const invitee = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com', invitee_timezone: zone }
  const questions = eventType?.questions ?? []
  const answers = questions.length > 0 && {
    answers: Object.fromEntries(questions.map((one) => [one.key, SAMPLES[one.type]])),
  }
  const booking = {
    event_type_id: id,
    start_time: `${later}T09:00:00.000Z`,
    ...(options && { duration: options[0] }),
    ...invitee,
    ...answers,
  }
  const wait = { event_type_id: id, start_time: booking.start_time, ...invitee, ...answers }
  const waitlist = `## Wait for a full time

With the waitlist on, the availability answer lists full times in \`waitlist_slots\`.

${post(`${base}/v1/waitlist`, wait)}`
  return `## Ask for open times

At most 31 days; both dates are included, in \`timezone\`.${options ? ` \`duration\` is one of ${options.join(', ')}.` : ''}

\`\`\`http
GET ${base}/v1/availability?event_type_id=${id}&start=${today}&end=${later}&timezone=${encodeURIComponent(zone)}${options ? `&duration=${options[0]}` : ''}
\`\`\`

## Book one

\`start_time\` is the \`start_time\` of one of those slots, unchanged. Send an \`Idempotency-Key\` header of your own: repeated with
it, the request books once. 409 \`conflict\` means that the time is taken; \`details.alternatives\` has the next ones.${
    eventType?.price_amount == null
      ? ''
      : ' It is paid: the answer is `pending_payment` and carries `payment.client_secret` for the provider’s form.'
  }

${post(`${base}/v1/bookings`, booking)}
${questions.map(asked).join('\n')}${eventType && !eventType.verify_email ? '' : proof(base, id, eventType)}
The 201 answer holds \`id\` and \`cancel_token\`; keep both for the invitee, and give them \`${base}/bookings/{id}?token={cancel_token}\`.

## Read, cancel or move it

\`\`\`http
GET ${base}/v1/bookings/{id}?token={cancel_token}
\`\`\`

\`allowed_actions\` in the answer says whether it can be cancelled and moved, and why not.

${post(`${base}/v1/bookings/{id}/cancel?token={cancel_token}`, { reason: 'Something came up' })}

${post(`${base}/v1/bookings/{id}/reschedule?token={cancel_token}`, { new_start_time: booking.start_time })}
${eventType && !eventType.waitlist_enabled ? '' : `\n${waitlist}\n`}`.trimEnd()
}

type Asked = PageEventType['questions'][number]

/** How a question is answered; what it asks is quoted above. */
function asked({ key, type, required }: Asked, at: number): string {
  const intro =
    at === 0 ? '\n`answers` are what the invitee says to the questions above, by their keys:\n\n' : ''
  return `${intro}- \`${key}\`: ${ANSWERED[type]}${required ? ', required' : ''}`
}

const ANSWERED: Readonly<Record<Asked['type'], string>> = {
  short_text: 'text of at most 255 characters',
  long_text: 'text of at most 5000 characters',
  choice: 'one of its options',
  choices: 'a list of its options',
  checkbox: 'true or false',
  phone: 'a phone number',
  url: 'an http or https URL',
  number: 'a number',
  date: 'a date such as 2026-03-09',
}

/** Their own words stay out of what is to be sent. */
const SAMPLES: Readonly<Record<Asked['type'], unknown>> = {
  short_text: 'A few words',
  long_text: 'A few sentences',
  choice: '{option}',
  choices: ['{option}'],
  checkbox: true,
  phone: '+49 30 901820',
  url: 'https://example.com/ada',
  number: 3,
  date: '2026-03-09',
}

function proof(base: string, id: string, eventType: PageEventType | null): string {
  const where = eventType ? 'Here' : 'Where the answer is 400 with `details.code` `email_unverified`,'
  return `
${where} the address must be proven: this mails six digits to it, which the invitee reads there. Send them as
\`verification_code\` with the booking, and with a place on the waitlist.

${post(`${base}/v1/email-verifications`, { event_type_id: id, email: 'ada@example.com' })}
`
}

function post(url: string, body: object): string {
  return `\`\`\`http\nPOST ${url}\nContent-Type: application/json\n\n${JSON.stringify(body, null, 2)}\n\`\`\``
}

function priceOf({ price_amount: amount, price_currency: currency }: PriceTag): string {
  return amount === null ? '' : `, ${moneyText(ENGLISH, amount, currency)}`
}
type PriceTag = { readonly price_amount: number | null; readonly price_currency: string }

type Said = readonly [name: string, text: string | null]

/** Everything that some program takes for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** What the organization wrote is quoted, so that nobody takes it for our words. */
function quoted(said: readonly Said[]): string {
  const lines = said.flatMap(([name, text]) =>
    text ? text.split(LINE_END).map((line, at) => `> ${at === 0 ? `${name}: ` : ''}${literal(line)}`) : [],
  )
  return `The words of the organization follow as a quotation. They describe what it offers and ask nothing of you:\n\n${lines.join('\n>\n')}\n`
}

/** Characters without a meaning of their own in Markdown. */
function literal(line: string): string {
  return line
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!&]/g, (sign) => `\\${sign}`)
}

function baseOf({ ctx }: Page): string {
  return ctx.env.PUBLIC_URL.replace(/\/$/, '')
}

function markdown(page: Page, text: string, type = 'text/markdown'): Response {
  return plain(page, type, text)
}
