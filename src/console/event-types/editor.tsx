import type { ComponentChildren } from 'preact'
import type { EventType } from '../../booking/event-types/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { Closing } from '../hours/closing.tsx'
import { shownState } from '../lost-update.ts'
import type { MemberRequest, Form as SentForm } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { Sign } from '../views/icons.tsx'
import { SavedPreview } from '../views/saved-preview.tsx'
import { shell } from '../views/shell.tsx'
import { ClosedNotice } from './closed.tsx'
import { EditorTabs } from './editor-tabs.tsx'
import { doneIn } from './list.tsx'
import { loadEventType } from './load.ts'
import { pageOf } from './page-of.ts'
import { carriedFields, type Parts, stateOf } from './parts.ts'
import { type EditorTab, type EventTypeBody, type FieldsTab, TABS, type Typed } from './tabs.ts'

type Shown = {
  readonly request: MemberRequest
  readonly id: string
  readonly tab: EditorTab
  /** What was typed and is not saved. */
  readonly parts?: Parts
  /** What was typed in this tab, if that is not all that its part has. */
  readonly typed?: EventTypeBody
  readonly trouble?: Trouble
  readonly status?: number
  /** The saved state is newer than what was typed: the form shows it, with what was typed over it. */
  readonly isRenewed?: boolean
  /** What saving would close. */
  readonly closing?: Closing
}

const NOTHING: Parts = new Map()

/** One part of an event type, with the way to the others and the page that it makes beside it. */
export async function showTab(shown: Shown): Promise<Response> {
  const { request, id, tab, parts = NOTHING, trouble = NO_TROUBLE, status = 200, isRenewed = false } = shown
  const { closing } = shown
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  const part = parts.get(tab.at)
  const typed: Typed | null = part ? { value: shown.typed ?? tab.read(part), form: part } : null
  const loading = loadEventType(request, id)
  const [eventType, opened] = await Promise.all([
    loading,
    tab.open({ request, id, eventType: loading, typed, trouble }),
  ])
  const own = `/console/event-types/${id}` as const
  const page = pageOf(request, eventType)
  const mayChange = isRolePermitted(request.member.role, 'administer')
  const unsaved = TABS.filter(({ at }) => parts.has(at))
  const state = { ...opened.shown, ...(part && !isRenewed && stateOf(part)) }
  return shell({
    request,
    title: eventType.title,
    back: { to: '/console/event-types', text: texts.back },
    done: doneIn(request),
    status,
    framesOwn: true,
    actions: <Actions request={request} eventType={eventType} page={page} isFirst={tab.at === ''} />,
    children: (
      <>
        <EditorTabs request={request} own={own} here={tab.at} unsaved={unsaved.map(({ at }) => at)} />
        <div class="main-and-preview">
          <div class="part">
            <ClosedNotice request={request} eventTypes={[eventType]} />
            {mayChange ? (
              <Form
                request={request}
                id="editor"
                action={`${own}${tab.at}`}
                hidden={{ at: tab.at, ...state, ...closing?.hidden }}
                carried={carriedFields(parts, tab.at)}
                trouble={trouble}
                class="steps"
              >
                {opened.fields}
                {unsaved.length > 0 && (
                  <p role="status">
                    {fill(texts.unsavedIn, {
                      tabs: new Intl.ListFormat(locale.tag).format(unsaved.map(({ name }) => texts[name])),
                    })}
                  </p>
                )}
                {closing?.note}
                <FormEnd request={request} />
                {tab.at === '' && <DeletePart request={request} id={id} />}
              </Form>
            ) : (
              <ReadOnly request={request}>{opened.fields}</ReadOnly>
            )}
          </div>
          <SavedPreview texts={texts} page={page} />
        </div>
      </>
    ),
  })
}

type ActionsProps = {
  readonly request: MemberRequest
  readonly eventType: EventType
  readonly page: string | null
  readonly isFirst: boolean
}

function Actions({ request, eventType, page, isFirst }: ActionsProps) {
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  return (
    <>
      {!eventType.active && <span class="badge">{texts.inactive}</span>}
      {isFirst && isRolePermitted(request.member.role, 'administer') && (
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
  )
}

/** A tab that is fields of the event type and nothing else. */
export function editorTab(tab: FieldsTab): EditorTab {
  const { Fields, at, read, reword, names, asSent } = tab
  const kept = Object.keys(read(NO_FORM))
  return {
    at,
    read,
    ...(reword && { reword }),
    ...(names && { names }),
    open: async ({ request, eventType: loading, typed, trouble }) => {
      const eventType = await loading
      const value = { ...eventType, ...typed?.value } as EventType
      const asked = { ...request, form: typed?.form ?? NO_FORM }
      return {
        fields: <Fields request={asked} locale={request.page.locale} value={value} trouble={trouble} />,
        shown: shownState({ ...eventType, ...asSent?.(eventType) }, kept),
      }
    },
  }
}

/** What somebody sees who may change nothing of it. */
function ReadOnly({
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
