import type { ComponentChildren } from 'preact'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { ask } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import type { Screen } from '../screen.ts'
import { NO_TROUBLE, type Trouble, toldTrouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { Sign } from '../views/icons.tsx'
import { SavedPreview } from '../views/saved-preview.tsx'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'
import { doneIn } from './list.tsx'
import { loadEventType } from './load.ts'
import { pageOf } from './page-of.ts'
import { type FieldsTab, TABS, type TabPath } from './tabs.ts'

type Props = {
  readonly visit: MemberRequest
  readonly eventType: EventType
  readonly at: TabPath
  readonly status: number
  readonly children: ComponentChildren
}

/** One part of an event type, with the way to the others and the page that it makes beside it. */
export function editorPage({ visit, eventType, at, status, children }: Props): Response {
  const { locale } = visit.page
  const texts = textsOf(locale, eventTypeTexts)
  const own = `/console/event-types/${eventType.id}` as const
  const page = pageOf(visit, eventType)
  return shell({
    visit,
    title: eventType.title,
    back: { to: '/console/event-types', text: texts.back },
    done: doneIn(visit),
    status,
    framesOwn: true,
    actions: (
      <>
        {!eventType.active && <span class="badge">{texts.inactive}</span>}
        {page && (
          <a class="button soft-button" href={page} target="_blank" rel="noopener">
            {texts.openPage}
            <span class="unseen"> ({locale.texts.opensNewTab})</span>
            <Sign name="open" />
          </a>
        )}
      </>
    ),
    children: (
      <>
        <Tabs
          label={texts.tabs}
          parts={TABS.map((tab) => [own + tab.at, texts[tab.name]] as const)}
          here={own + at}
        />
        <div class="main-and-preview">
          <div class="part">{children}</div>
          <SavedPreview texts={texts} page={page} />
        </div>
      </>
    ),
  })
}

function fieldsPage(
  visit: MemberRequest,
  tab: FieldsTab,
  eventType: EventType,
  typed = {},
  trouble = NO_TROUBLE,
  status = 200,
) {
  const { locale } = visit.page
  const mayChange = isRolePermitted(visit.member.role, 'administer')
  const { Fields } = tab
  const fields = <Fields visit={visit} locale={locale} value={{ ...eventType, ...typed }} trouble={trouble} />
  return editorPage({
    visit,
    eventType,
    at: tab.at,
    status,
    children: mayChange ? (
      <Form
        visit={visit}
        action={`/console/event-types/${eventType.id}${tab.at}`}
        trouble={trouble}
        class="steps"
      >
        {fields}
        <FormEnd visit={visit} />
        {tab.at === '' && <DeletePart visit={visit} id={eventType.id} />}
      </Form>
    ) : (
      <OnlyLook visit={visit}>{fields}</OnlyLook>
    ),
  })
}

/** What somebody sees who may change nothing of it. */
export function OnlyLook({
  visit,
  children,
}: {
  readonly visit: MemberRequest
  readonly children: ComponentChildren
}) {
  return (
    <>
      <p class="soft">{textsOf(visit.page.locale, eventTypeTexts).onlyLook}</p>
      <fieldset class="steps plain-set" disabled>
        {children}
      </fieldset>
    </>
  )
}

function DeletePart({ visit, id }: { readonly visit: MemberRequest; readonly id: string }) {
  const texts = textsOf(visit.page.locale, eventTypeTexts)
  return (
    <p>
      <a href={`/console/event-types/${id}/delete`}>{texts.deleteIt}</a>
    </p>
  )
}

/** What went wrong with the fields of an event type. */
export function eventTypeTrouble(
  visit: MemberRequest,
  refusal: Parameters<typeof toldTrouble>[1],
  names: Readonly<Record<string, string>> = {},
): Trouble {
  const { slugTaken, noAccount } = textsOf(visit.page.locale, eventTypeTexts)
  const unlinked = { title: noAccount, fields: { conferencing_provider: noAccount } }
  const codes = {
    conflict: { title: slugTaken, fields: { slug: slugTaken } },
    no_calendar_a_connection: unlinked,
    no_calendar_b_connection: unlinked,
  }
  return toldTrouble(visit.page.locale, refusal, { fields: names, codes })
}

/** The screens of a part that is fields alone. */
export function fieldsScreens(tab: FieldsTab): readonly Screen[] {
  const path = `/console/event-types/:id${tab.at}` as const
  return [
    {
      method: 'GET',
      path,
      show: async (visit: MemberRequest, { id = '' }: Params) =>
        fieldsPage(visit, tab, await loadEventType(visit, id)),
    },
    {
      method: 'POST',
      path,
      show: async (visit: MemberRequest, { id = '' }: Params) => {
        const body = tab.read(visit.form)
        const asked = await ask(visit, eventTypeRoutes, 'updateEventType', { params: { id }, body })
        if (asked.ok) return seeOther(visit.page, `/console/event-types/${id}${tab.at}?done=saved`)
        // A role may have been lowered while the form was open.
        if (asked.refusal.code === 'forbidden') return forbiddenPage(visit)
        const { fields, ...told } = eventTypeTrouble(visit, asked.refusal, tab.names)
        const reworded = fields && (tab.reword?.(visit.page.locale, fields, body) ?? fields)
        const trouble = { ...told, ...(reworded && { fields: reworded }) }
        return fieldsPage(
          visit,
          tab,
          await loadEventType(visit, id),
          body,
          trouble,
          formStatus(asked.refusal),
        )
      },
    },
  ]
}
