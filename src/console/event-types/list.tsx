import type { EventType } from '../../booking/event-types/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { lengthText, moneyText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { ClosedNotice, closedText } from './closed.tsx'
import { loadGroups } from './load.ts'
import { pageOf } from './page-of.ts'

/** What can be booked, in the order in which the public sees it. */
export async function showEventTypes(request: MemberRequest): Promise<Response> {
  const texts = textsOf(request.page.locale, eventTypeTexts)
  const groups = await loadGroups(request)
  const isAdmin = isRolePermitted(request.member.role, 'administer')
  const create = isAdmin && (
    <a class="button" href="/console/event-types/new">
      <Sign name="plus" />
      {texts.create}
    </a>
  )
  if (groups.length === 0) {
    return shell({
      request,
      title: texts.title,
      done: doneIn(request),
      children: (
        <div class="empty">
          <Sign name="list" />
          <strong>{texts.none}</strong>
          <p>{texts.noneText}</p>
          {create}
        </div>
      ),
    })
  }
  const lists = groups.map(([group, own]) => (
    <section class="part" key={group ?? ''}>
      {group !== null && <h2>{group}</h2>}
      <ul class="rows" data-sort={isAdmin ? '' : undefined}>
        {own.map((eventType, at) => (
          <Row
            key={eventType.id}
            request={request}
            eventType={eventType}
            moves={isAdmin ? { up: at > 0, down: at < own.length - 1 } : null}
          />
        ))}
      </ul>
    </section>
  ))
  return shell({
    request,
    title: texts.title,
    lead: texts.lead,
    actions: create,
    done: doneIn(request),
    children: (
      <>
        <ClosedNotice request={request} eventTypes={groups.flatMap(([, own]) => own)} isNamed />
        {isAdmin ? (
          <Form request={request} action="/console/event-types/order" hidden={{ order: '' }} class="part">
            {lists}
            <p class="hint" data-sort-hint hidden>
              {texts.dragHint}
            </p>
          </Form>
        ) : (
          lists
        )}
      </>
    ),
  })
}

type RowProps = {
  readonly request: MemberRequest
  readonly eventType: EventType
  readonly moves: { readonly up: boolean; readonly down: boolean } | null
}

function Row({ request, eventType, moves }: RowProps) {
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  const { id, title, active, price_amount: price } = eventType
  const page = pageOf(request, eventType)
  const closed = closedText(request, eventType)
  const lengths = (eventType.duration_options ?? [eventType.duration_minutes]).toSorted((a, b) => a - b)
  const facts = [
    lengths.map((minutes) => lengthText(locale, minutes, true)).join(', '),
    ...(price === null ? [] : [moneyText(locale, price, eventType.price_currency)]),
  ]
  const mover = (name: 'up' | 'down', isPossible: boolean) => (
    <button
      type="submit"
      name={name}
      value={id}
      class="round"
      disabled={!isPossible}
      aria-label={fill(texts[name], { title })}
    >
      <span aria-hidden="true">{name === 'up' ? '↑' : '↓'}</span>
    </button>
  )
  return (
    <li id={id} data-id={id}>
      <div>
        <a class="row-link" href={`/console/event-types/${id}`}>
          <bdi>{title}</bdi>
        </a>
        <p class="soft">{facts.join(' · ')}</p>
      </div>
      <div class="row-end">
        {!active && <span class="badge">{texts.inactive}</span>}
        {closed !== null && <span class="badge warn">{closed}</span>}
        {active && page === null && <span class="badge">{texts.hidden}</span>}
        {active && page && !eventType.listed && <span class="badge">{texts.unlisted}</span>}
        {page && (
          <a
            class="round"
            href={page}
            target="_blank"
            rel="noopener"
            aria-label={fill(texts.openPageOf, { title })}
          >
            <Sign name="open" />
          </a>
        )}
        {moves && mover('up', moves.up)}
        {moves && mover('down', moves.down)}
      </div>
    </li>
  )
}

const DONE = ['saved', 'created', 'deleted'] as const

/** What was just done, as the address says after a form was sent. */
export function doneIn({ page }: MemberRequest): string | undefined {
  const said = page.url.searchParams.get('done')
  const done = DONE.find((one) => one === said)
  return done && textsOf(page.locale, eventTypeTexts)[done]
}
