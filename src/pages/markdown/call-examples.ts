import type { PageEventType } from '../../booking/listing/schema.ts'
import { formatDate } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { toldOf } from '../../platform/http/answer.ts'
import { because } from '../../platform/http/errors.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { HostChoice } from '../host-choice.ts'
import type { Page } from '../page.ts'
import type { MarkdownTexts } from './markdown-texts.ts'

/**
 * The calls that a program makes, ready to send: of one event type, or of any where none is known. In a full month nothing can
 * be booked.
 */
export function callsOf(
  page: Page,
  texts: MarkdownTexts,
  id: string,
  eventType: PageEventType | null,
  isMonthFull = false,
  choice: HostChoice | null = null,
): string {
  const base = baseOf(page)
  const manage = `\`${base}/bookings/{id}?token={cancel_token}\``
  const { booking, wait, query } = examplesFor(page, id, eventType, choice)
  const options = eventType?.duration_options
  const questions = eventType?.questions ?? []
  const places = eventType?.places ?? []
  const isGroup = !eventType || eventType.max_attendees > 1
  const isPaid = !eventType || eventType.price_amount !== null
  const toBook = [
    `## ${texts.bookTitle}`,
    texts.book,
    isGroup && texts.attendees,
    post(`${base}/v1/bookings`, booking),
    places.length > 0 && texts.places,
    places.map(({ id, kind }) => `- \`${id}\`: ${kind}`).join('\n'),
    questions.length > 0 && texts.answers,
    questions.map((one) => asked(texts, one)).join('\n'),
    eventType?.verify_email !== false && `${eventType ? texts.proofHere : texts.proofWhere} ${texts.proof}`,
    eventType?.verify_email !== false &&
      post(`${base}/v1/email-verifications`, { event_type_id: id, email: 'ada@example.com' }),
    fill(texts.keep, { page: manage }),
    isPaid && fill(texts.paid, { page: manage }),
  ]
  const parts = [
    `## ${texts.timesTitle}`,
    [
      texts.times,
      options && fill(texts.durations, { options: options.join(', ') }),
      choice && (choice.isAnyoneFine ? texts.hostOptional : texts.hostRequired),
    ]
      .filter(Boolean)
      .join(' '),
    choice?.hosts.map((host) => `- \`${host.id}\``).join('\n'),
    http(`GET ${base}/v1/availability?${query}`),
    ...(isMonthFull ? [] : toBook),
    `## ${texts.changeTitle}`,
    http(`GET ${base}/v1/bookings/{id}?token={cancel_token}`),
    texts.allowed,
    post(`${base}/v1/bookings/{id}/cancel?token={cancel_token}`, { reason: 'Something came up' }),
    post(`${base}/v1/bookings/{id}/reschedule?token={cancel_token}`, { new_start_time: booking.start_time }),
    ...(eventType?.waitlist_enabled === false
      ? []
      : [
          `## ${texts.waitTitle}`,
          texts.wait,
          post(`${base}/v1/waitlist`, wait),
          texts.leave,
          http(`POST ${base}/v1/waitlist/{id}/cancel?token={cancel_token}`),
        ]),
    `## ${texts.errorsTitle}`,
    fill(texts.errors, { errors: `${base}/docs/errors.md` }),
    `\`\`\`json\n${JSON.stringify(exampleError(base, booking.start_time), null, 2)}\n\`\`\``,
  ]
  return parts.filter(Boolean).join('\n\n')
}

export function baseOf({ ctx }: Page): string {
  return ctx.env.PUBLIC_URL.replace(/\/$/, '')
}

function examplesFor(page: Page, id: string, eventType: PageEventType | null, choice: HostChoice | null) {
  const start = formatDate(page.ctx.now)
  const end = formatDate(page.ctx.now + 13 * DAY_MS)
  const zone = eventType?.timezone ?? 'Europe/Berlin'
  const duration = eventType?.duration_options?.[0]
  const questions = eventType?.questions ?? []
  const guests = eventType && eventType.max_attendees > 1
  const invitee = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com', invitee_timezone: zone }
  const answers = questions.length > 0 && {
    answers: Object.fromEntries(questions.map((one) => [one.key, SAMPLES[one.type]])),
  }
  const [first] = eventType?.places ?? []
  const place = first && {
    place_id: first.id,
    ...(first.kind === 'phone_out' && { invitee_phone: '+4930901820' }),
  }
  const host = choice?.hosts[0]?.id
  const start_time = `${end}T09:00:00.000Z`
  const booking = {
    event_type_id: id,
    start_time,
    ...(duration && { duration }),
    ...(host && { member_id: host }),
    ...invitee,
    ...(guests && { attendees: [{ name: 'Charles Babbage', email: 'charles@example.com' }] }),
    ...place,
    ...answers,
  }
  const wait = { event_type_id: id, start_time, ...invitee, ...place, ...answers }
  const query = `event_type_id=${id}&start=${start}&end=${end}&timezone=${encodeURIComponent(zone)}${duration ? `&duration=${duration}` : ''}${host ? `&member_id=${host}` : ''}`
  return { booking, wait, query }
}

type Asked = PageEventType['questions'][number]

/** How a question is answered; what it asks is quoted. */
function asked(texts: MarkdownTexts, { key, type, required }: Asked): string {
  return `- \`${key}\`: ${texts.kinds[type]}${required ? `, ${texts.required}` : ''}`
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

function exampleError(base: string, start: string) {
  const refusal = because('not_open', { alternatives: [start] })
  return {
    error: {
      code: refusal.code,
      ...toldOf(refusal),
      doc_url: `${base}/docs/errors#conflict`,
      request_id: '0192f1e0-7c11-7000-8000-0d9c423b1f0a',
    },
  }
}

function http(text: string): string {
  return `\`\`\`http\n${text}\n\`\`\``
}

function post(url: string, body: object): string {
  return http(`POST ${url}\nContent-Type: application/json\n\n${JSON.stringify(body, null, 2)}`)
}
