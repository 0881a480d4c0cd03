import type { ComponentChildren } from 'preact'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { developersTexts } from '../../platform/i18n/console/developers.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'

const PARTS = [
  ['/console/developers', 'keys'],
  ['/console/developers/webhooks', 'webhooks'],
  ['/console/developers/events', 'events'],
  ['/console/developers/requests', 'requests'],
  ['/console/developers/explain', 'explain'],
  ['/console/developers/sandbox', 'sandbox'],
] as const

type Props = {
  readonly request: MemberRequest
  readonly here: (typeof PARTS)[number][0]
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly done?: string | undefined
  readonly status?: number
  readonly children: ComponentChildren
}

/** The parts for developers, and one of them. */
export function developersShell({ request, here, lead, actions, children, ...rest }: Props): Response {
  const texts = textsOf(request.page.locale, developersTexts)
  const parts = PARTS.filter(([, name]) => request.isTest || name !== 'sandbox').map(
    ([to, name]) => [to, texts[name]] as const,
  )
  return shell({
    ...rest,
    request,
    title: textsOf(request.page.locale, shellTexts).developers,
    lead: lead ?? texts.lead,
    actions: (
      <>
        <a class="button soft-button" href="/docs" target="_blank" rel="noopener">
          <Sign name="open" />
          {texts.docs}
          <span class="unseen"> ({request.page.locale.texts.opensNewTab})</span>
        </a>
        {actions}
      </>
    ),
    children: (
      <>
        <Tabs label={texts.parts} parts={parts} here={here} />
        {children}
      </>
    ),
  })
}
