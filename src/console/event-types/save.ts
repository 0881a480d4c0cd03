import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { availabilityRoutes } from '../../booking/slots/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { ask, wrongIn } from '../ask.ts'
import { changedByOthers, changedFields } from '../lost-update.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { Form, MemberRequest } from '../request.ts'
import type { Screen } from '../screen.ts'
import { type At, type Trouble, troubleOf } from '../trouble.ts'
import { closingBy } from './closing.ts'
import { showTab } from './editor.tsx'
import { changedHosts } from './host-values.ts'
import { hoursToSave, isChanged, type Parts, partsIn, renewed } from './parts.ts'
import { type Failed, saveHosts, wrongInHosts } from './save-hosts.ts'
import type { EditorTab, EventTypeBody } from './tabs.ts'

/** The fields of 500 hosts are about half of it. */
export const MOST_BYTES = 512 * 1024

/** The screens of the editor: each tab, what saves them all, and what leads from one to another with unsaved changes. */
export function editorScreens(tabs: readonly EditorTab[]): readonly Screen[] {
  return [
    ...tabs.flatMap((tab): Screen[] => {
      const path = `/console/event-types/:id${tab.at}` as const
      return [
        { method: 'GET', path, show: (request, { id = '' }) => showTab({ request, id, tab }) },
        {
          method: 'POST',
          path,
          mostBytes: MOST_BYTES,
          show: (request, { id = '' }) => saveTabs(request, id, tabs, tab),
        },
      ]
    }),
    {
      method: 'POST',
      path: '/console/event-types/:id/switch',
      mostBytes: MOST_BYTES,
      show: (request, params) => switchTab(request, params, tabs),
    },
  ]
}

/** Without changes it leads to the tab's own address. */
async function switchTab(
  request: MemberRequest,
  { id = '' }: Params,
  tabs: readonly EditorTab[],
): Promise<Response> {
  const { form } = request
  const from = tabs.find(({ at }) => at === (form.get('at') ?? '')) ?? tabs[0]!
  const to = tabs.find(({ at }) => at === form.get('to')) ?? from
  const parts = changedParts(partsIn(form, from.at), tabs)
  if (parts.size === 0) return seeOther(request.page, `/console/event-types/${id}${to.at}`)
  return showTab({ request, id, tab: to, parts })
}

function changedParts(parts: Parts, tabs: readonly EditorTab[]): Parts {
  const tabAt = (path: string) => tabs.find(({ at }) => at === path)!
  return new Map([...parts].filter(([path, part]) => isChanged(tabAt(path), part)))
}

type Part = { readonly tab: EditorTab; readonly part: Form }

/**
 * Errors in the hours are shown first, at the day that was typed. The hours and the hosts are written last, after everything else
 * was accepted: a form with errors has changed nothing.
 */
async function saveTabs(
  request: MemberRequest,
  id: string,
  tabs: readonly EditorTab[],
  here: EditorTab,
): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const parts = partsIn(request.form, here.at)
  const all = tabs.flatMap((tab): Part[] => {
    const part = parts.get(tab.at)
    return part ? [{ tab, part }] : []
  })
  const wanted = wantedIn(all)
  const closing = await closingBy(request, id, wanted)
  if (closing) return showTab({ request, id, tab: here, parts, closing })
  const failed = await save(request, id, all, wanted)
  if (failed === null) return seeOther(request.page, `/console/event-types/${id}${here.at}?done=saved`)
  const { refusal } = failed
  // A role may have been lowered while the form was open.
  if (refusal.code === 'forbidden') return forbiddenPage(request)
  const others = changedByOthers(request, refusal)
  const { tab, part } = others ? { tab: here, part: parts.get(here.at)! } : placeOf(failed, all, here)
  const body = tab.read(part)
  return showTab({
    request,
    id,
    tab,
    parts: others ? renewed(parts, String(refusal.details?.updated_at)) : parts,
    typed: others ? (changedFields(part, body) as EventTypeBody) : body,
    trouble: others ?? troubleIn(request, failed, { tab, part }),
    status: formStatus(refusal),
    isRenewed: others !== null,
  })
}

/** What all parts change. */
function wantedIn(all: readonly Part[]) {
  return {
    hours: all.flatMap(({ tab, part }) => hoursToSave(tab, part)?.hours ?? [])[0],
    changed: Object.assign(
      {},
      ...all.map(({ tab, part }) => changedFields(part, tab.read(part))),
    ) as EventTypeBody,
    hosts: new Map(all.flatMap(({ tab, part }) => (tab.readHosts ? [...changedHosts(part)] : []))),
  }
}

async function save(
  request: MemberRequest,
  id: string,
  all: readonly Part[],
  { hours, changed, hosts }: ReturnType<typeof wantedIn>,
): Promise<Failed | null> {
  const params = { id }
  const wrong = hours && wrongIn(availabilityRoutes.putAvailabilityRules, hours)
  if (wrong) return { refusal: wrong }
  const wrongHosts = await wrongInHosts(request, id, hosts)
  if (wrongHosts) return wrongHosts
  // The oldest state of which something was shown.
  const states = all.flatMap(({ part }) => part.get('updated_at') || []).sort()
  const body = { ...changed, ...(states[0] && { updated_at: states[0] }) }
  const asked = await ask(request, eventTypeRoutes.updateEventType, { params, body })
  if (!asked.ok) return { refusal: asked.refusal }
  if (hours) {
    const written = await ask(request, availabilityRoutes.putAvailabilityRules, { params, body: hours })
    if (!written.ok) return { refusal: written.refusal }
  }
  return saveHosts(request, id, hosts)
}

const AT: At = {
  event_type_slug_taken: 'slug',
  needs_google: 'conferencing_provider',
  google_makes_no_meetings: 'conferencing_provider',
  needs_microsoft: 'conferencing_provider',
  microsoft_makes_no_meetings: 'conferencing_provider',
}

/** The tab that a refusal is about: that of the form that was sent, if it may be. */
function placeOf({ refusal, field }: Failed, all: readonly Part[], here: EditorTab): Part {
  const found = all.toSorted((a, b) => Number(b.tab === here) - Number(a.tab === here))
  const at = field ?? AT[refusal.reason]
  const names = refusal.fields ? Object.keys(refusal.fields) : at ? [at] : []
  return found.find((one) => names.some((name) => isOf(one, name))) ?? found[0]!
}

function isOf({ tab, part }: Part, field: string): boolean {
  const root = field.split('.')[0]!
  if (tab.readHosts && root in tab.readHosts(part)) return true
  return root in tab.read(part) || (tab.readHours !== undefined && root in tab.readHours(part).hours)
}

function troubleIn(request: MemberRequest, { refusal, field }: Failed, { tab, part }: Part): Trouble {
  const { locale } = request.page
  const names = { ...tab.names, ...tab.readHours?.(part).names }
  const own =
    refusal.fields &&
    Object.fromEntries(Object.entries(refusal.fields).filter(([name]) => isOf({ tab, part }, name)))
  const told = own && Object.keys(own).length > 0 ? own : refusal.fields
  const fields = told && (tab.reword?.(locale, told, tab.read(part)) ?? told)
  const at = field === undefined ? AT : { [refusal.reason]: field }
  return troubleOf(locale, { ...refusal, ...(fields && { fields }) }, { fields: names, at })
}
