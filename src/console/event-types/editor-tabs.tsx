import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import type { MemberRequest } from '../request.ts'
import { TABS, type TabPath } from './tabs.ts'

type Props = {
  readonly request: MemberRequest
  readonly own: `/console${string}`
  readonly here: TabPath
  readonly unsaved: readonly TabPath[]
}

/**
 * The tabs of the editor. The script sends the form along if something was changed in it; without a script, buttons of the
 * form do the same.
 */
export function EditorTabs({ request, own, here, unsaved }: Props) {
  const texts = textsOf(request.page.locale, eventTypeTexts)
  const mayChange = isRolePermitted(request.member.role, 'administer')
  const current = (at: TabPath) => (at === here ? ('page' as const) : undefined)
  const mark = (at: TabPath) => (
    <span class="unsaved" hidden={!unsaved.includes(at)}>
      <span aria-hidden="true"> ●</span>
      <span class="unseen"> ({texts.unsaved})</span>
    </span>
  )
  return (
    <>
      <nav
        class={mayChange ? 'tabs for-script' : 'tabs'}
        aria-label={texts.tabs}
        data-switch={mayChange ? `${own}/switch` : undefined}
        data-unsaved={unsaved.length > 0 ? '' : undefined}
      >
        {TABS.map(({ at, name }) => (
          <a key={at} href={own + at} aria-current={current(at)} data-to={at}>
            {texts[name]}
            {mark(at)}
          </a>
        ))}
      </nav>
      {mayChange && (
        <noscript>
          <nav class="tabs" aria-label={texts.tabs}>
            {TABS.map(({ at, name }) => (
              <button
                key={at}
                type="submit"
                form="editor"
                formaction={`${own}/switch`}
                name="to"
                value={at}
                aria-current={current(at)}
              >
                {texts[name]}
                {mark(at)}
              </button>
            ))}
          </nav>
        </noscript>
      )}
    </>
  )
}
