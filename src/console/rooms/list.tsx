import { resourceRoutes } from '../../booking/resources/routes.ts'
import type { Resource } from '../../booking/resources/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { roomTexts } from '../../platform/i18n/console/rooms.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { pluralText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { isAdmin } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'

/** All rooms and equipment, by name. */
export async function loadRooms(request: MemberRequest): Promise<readonly Resource[]> {
  const all = await listAll(request, resourceRoutes.listResources)
  const { compare } = new Intl.Collator(request.member.locale)
  return all.toSorted((one, other) => compare(one.name, other.name))
}

export async function showRooms(request: MemberRequest): Promise<Response> {
  const { page } = request
  const { locale } = page
  const texts = textsOf(locale, roomTexts)
  const rooms = await loadRooms(request)
  const said = page.url.searchParams.get('done')
  const done = { saved: textsOf(locale, shellTexts).saved, removed: texts.removedDone }[said ?? '']
  return shell({
    request,
    title: texts.title,
    lead: texts.lead,
    done,
    actions: isAdmin(request) && (
      <a class="button" href="/console/rooms/new">
        <Sign name="plus" />
        {texts.add}
      </a>
    ),
    children:
      rooms.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <ul class="rows">
          {rooms.map(({ id, name, kind, quantity, active }) => (
            <li key={id}>
              <div>
                <a class="row-link" href={`/console/rooms/${id}`}>
                  <bdi>{name}</bdi>
                </a>
                <p class="soft">
                  {texts[kind]} · {fill(pluralText(locale, texts.units, quantity), { n: quantity })}
                </p>
              </div>
              {!active && <span class="badge">{texts.inactive}</span>}
              <Sign name="next" />
            </li>
          ))}
        </ul>
      ),
  })
}
