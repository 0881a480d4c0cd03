import type { ComponentChildren } from 'preact'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import type { MemberRequest } from '../request.ts'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'

type Props = {
  readonly request: MemberRequest
  readonly here: '/console/team' | '/console/team/activity'
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

const DONE = ['invited', 'revoked', 'removed', 'transferred'] as const

/** The people of an organization, and what was done. */
export function teamShell({ request, here, actions, children }: Props): Response {
  const texts = textsOf(request.page.locale, teamTexts)
  const said = request.page.url.searchParams.get('done')
  const done = DONE.find((one) => one === said)
  const parts = [
    ['/console/team', texts.people],
    ['/console/team/activity', texts.activity],
  ] as const
  return shell({
    request,
    title: texts.title,
    actions,
    done: done && texts[done],
    children: (
      <>
        <Tabs label={texts.parts} parts={parts} here={here} />
        {children}
      </>
    ),
  })
}
