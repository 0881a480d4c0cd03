import { clientRoutes } from '../../booking/bookings/clients/routes.ts'
import type { ListedClient } from '../../booking/bookings/clients/schema.ts'
import { canBeSought } from '../../booking/bookings/search/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { clientTexts } from '../../platform/i18n/console/clients.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { ownShortMomentText, pluralText } from '../../platform/i18n/format.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { SelectField, TextField } from '../views/fields.tsx'
import { GetForm } from '../views/get-form.tsx'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { clientAddress } from './address.ts'

const SORTS = { last: 'byLast', next: 'byNext', name: 'byName', bookings: 'byBookings' } as const
const A_PAGE = '50'

/** Everybody who booked, a part at a time. */
export async function showClients(request: MemberRequest): Promise<Response> {
  const { page } = request
  const { locale } = page
  const { searchParams } = page.url
  const texts = textsOf(locale, clientTexts)
  const shared = textsOf(locale, shellTexts)
  const words = (searchParams.get('q') ?? '').trim().slice(0, 100)
  const asked = searchParams.get('sort')
  const sort = Object.keys(SORTS).find((one) => one === asked) ?? 'last'
  const after = searchParams.get('after')
  const isSought = words === '' || canBeSought(words)
  const query = {
    sort,
    limit: A_PAGE,
    ...(words !== '' && { q: words }),
    ...(after !== null && { starting_after: after }),
  }
  const { data, has_more } = isSought
    ? await need(request, clientRoutes.listClients, { query })
    : { data: [], has_more: false }
  const here = `/console/clients?${new URLSearchParams({ sort, ...(words !== '' && { q: words }) })}`
  return shell({
    request,
    title: texts.title,
    lead: texts.lead,
    children: (
      <>
        <search>
          <GetForm action="/console/clients" class="search panel" sendsOnChange>
            <TextField locale={locale} name="q" label={texts.search} type="search" value={words} isOptional />
            <SelectField
              locale={locale}
              name="sort"
              label={texts.sort}
              value={sort}
              options={Object.entries(SORTS).map(([value, text]) => ({ value, text: texts[text] }))}
            />
            <button type="submit" class="soft-button">
              <Sign name="search" />
              {texts.find}
            </button>
          </GetForm>
        </search>
        {data.length === 0 ? (
          <p class="empty">{words === '' ? texts.none : texts.noneFound}</p>
        ) : (
          <ul class="rows">
            {data.map((client) => (
              <Row key={client.id} request={request} client={client} />
            ))}
          </ul>
        )}
        {has_more && (
          <p>
            <a class="button soft-button" href={`${here}&after=${data.at(-1)!.id}`}>
              {shared.more}
            </a>
          </p>
        )}
        {after !== null && (
          <p>
            <a href={here}>{shared.newest}</a>
          </p>
        )}
      </>
    ),
  })
}

function Row({ request, client }: { readonly request: MemberRequest; readonly client: ListedClient }) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, clientTexts)
  const { name, email, phone, bookings, no_shows: noShows, last, next } = client
  const beside = [
    email ?? phone ?? '',
    pluralText(locale, texts.bookings, bookings),
    ...(noShows > 0 ? [pluralText(locale, texts.noShows, noShows)] : []),
  ]
  const at = next ?? last
  return (
    <li class="wraps">
      <div>
        <a class="row-link" href={clientAddress(client)}>
          <bdi>{name}</bdi>
        </a>
        <p class="soft">
          <bdi>{beside.join(' · ')}</bdi>
        </p>
      </div>
      {at && (
        <span class="soft">
          {next ? texts.next : texts.last}:{' '}
          <time dateTime={at}>{ownShortMomentText(locale, Date.parse(at), zone)}</time>
        </span>
      )}
    </li>
  )
}
