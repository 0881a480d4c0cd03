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
import { changedByOthers, changedFields, expectedState, shownState } from '../lost-update.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest, Form as SentForm } from '../request.ts'
import type { Screen } from '../screen.ts'
import { type At, NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { Sign } from '../views/icons.tsx'
import { SavedPreview } from '../views/saved-preview.tsx'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'
import { ClosedNotice } from './closed.tsx'
import { doneIn } from './list.tsx'
import { loadEventType } from './load.ts'
import { pageOf } from './page-of.ts'
import { type FieldsTab, TABS, type TabPath } from './tabs.ts'

type Props = {
  readonly request: MemberRequest
  readonly eventType: EventType
  readonly at: TabPath
  readonly status: number
  readonly children: ComponentChildren
}

/** One part of an event type, with the way to the others and the page that it makes beside it. */
export function editorPage({ request, eventType, at, status, children }: Props): Response {
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  const own = `/console/event-types/${eventType.id}` as const
  const page = pageOf(request, eventType)
  return shell({
    request,
    title: eventType.title,
    back: { to: '/console/event-types', text: texts.back },
    done: doneIn(request),
    status,
    framesOwn: true,
    actions: (
      <>
        {!eventType.active && <span class="badge">{texts.inactive}</span>}
        {at === '' && isRolePermitted(request.member.role, 'administer') && (
          <a class="button soft-button" href={`/console/event-types/new?from=${eventType.id}`}>
            {texts.duplicate}
          </a>
        )}
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
          <div class="part">
            <ClosedNotice request={request} eventTypes={[eventType]} />
            {children}
          </div>
          <SavedPreview texts={texts} page={page} />
        </div>
      </>
    ),
  })
}

function fieldsPage(
  request: MemberRequest,
  tab: FieldsTab,
  eventType: EventType,
  typed = {},
  trouble = NO_TROUBLE,
  status = 200,
) {
  const { locale } = request.page
  const mayChange = isRolePermitted(request.member.role, 'administer')
  const { Fields } = tab
  const fields = (
    <Fields request={request} locale={locale} value={{ ...eventType, ...typed }} trouble={trouble} />
  )
  return editorPage({
    request,
    eventType,
    at: tab.at,
    status,
    children: mayChange ? (
      <Form
        request={request}
        action={`/console/event-types/${eventType.id}${tab.at}`}
        hidden={shownState(eventType, Object.keys(tab.read(NO_FORM)))}
        trouble={trouble}
        class="steps"
      >
        {fields}
        <FormEnd request={request} />
        {tab.at === '' && <DeletePart request={request} id={eventType.id} />}
      </Form>
    ) : (
      <ReadOnly request={request}>{fields}</ReadOnly>
    ),
  })
}

/** What somebody sees who may change nothing of it. */
export function ReadOnly({
  request,
  children,
}: {
  readonly request: MemberRequest
  readonly children: ComponentChildren
}) {
  return (
    <>
      <p class="soft">{textsOf(request.page.locale, eventTypeTexts).onlyLook}</p>
      <fieldset class="steps plain-set" disabled>
        {children}
      </fieldset>
    </>
  )
}

function DeletePart({ request, id }: { readonly request: MemberRequest; readonly id: string }) {
  const texts = textsOf(request.page.locale, eventTypeTexts)
  return (
    <p>
      <a href={`/console/event-types/${id}/delete`}>{texts.deleteIt}</a>
    </p>
  )
}

/** A form that was not sent: a tab reads the names of its fields from it. */
const NO_FORM: SentForm = Object.assign(new Map<string, string>(), { all: () => [] })

const AT: At = {
  event_type_slug_taken: 'slug',
  needs_google: 'conferencing_provider',
  google_makes_no_meetings: 'conferencing_provider',
  needs_microsoft: 'conferencing_provider',
  microsoft_makes_no_meetings: 'conferencing_provider',
}

/** What went wrong with the fields of an event type. */
export function eventTypeTrouble(
  request: MemberRequest,
  refusal: Parameters<typeof troubleOf>[1],
  names: Readonly<Record<string, string>> = {},
): Trouble {
  return troubleOf(request.page.locale, refusal, { fields: names, at: AT })
}

/** The screens of a part that is fields alone. */
export function fieldsScreens(tab: FieldsTab): readonly Screen[] {
  const path = `/console/event-types/:id${tab.at}` as const
  return [
    {
      method: 'GET',
      path,
      show: async (request: MemberRequest, { id = '' }: Params) =>
        fieldsPage(request, tab, await loadEventType(request, id)),
    },
    {
      method: 'POST',
      path,
      show: async (request: MemberRequest, { id = '' }: Params) => {
        const body = tab.read(request.form)
        const changed = changedFields(request.form, body)
        const asked = await ask(request, eventTypeRoutes.updateEventType, {
          params: { id },
          body: { ...changed, ...expectedState(request.form) },
        })
        if (asked.ok) return seeOther(request.page, `/console/event-types/${id}${tab.at}?done=saved`)
        // A role may have been lowered while the form was open.
        if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
        const { fields } = asked.refusal
        const reworded = fields && (tab.reword?.(request.page.locale, fields, body) ?? fields)
        const refusal = { ...asked.refusal, ...(reworded && { fields: reworded }) }
        const others = changedByOthers(request, asked.refusal)
        const trouble = others ?? eventTypeTrouble(request, refusal, tab.names)
        return fieldsPage(
          request,
          tab,
          await loadEventType(request, id),
          others ? changed : body,
          trouble,
          formStatus(asked.refusal),
        )
      },
    },
  ]
}
