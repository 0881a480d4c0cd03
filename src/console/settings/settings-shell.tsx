import type { ComponentChildren } from 'preact'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { dataTexts } from '../../platform/i18n/console/data.ts'
import { importTexts } from '../../platform/i18n/console/imports.ts'
import { passkeyTexts } from '../../platform/i18n/console/passkeys.ts'
import { settingsTexts } from '../../platform/i18n/console/settings.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import type { MemberRequest } from '../request.ts'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'

type Props = {
  readonly request: MemberRequest
  readonly here: `/console/settings${string}`
  readonly status?: number
  /** Replaces the notice that is shown after saving. */
  readonly done?: string
  readonly refreshes?: boolean
  readonly children: ComponentChildren
}

/** The parts of the settings, and one of them. */
export function settingsShell({ request, here, status = 200, done, refreshes, children }: Props): Response {
  const { page, member } = request
  const texts = textsOf(page.locale, settingsTexts)
  const data = textsOf(page.locale, dataTexts)
  const { saved } = textsOf(page.locale, shellTexts)
  const all = [
    ['/console/settings', texts.you, true],
    ['/console/settings/organization', texts.organization, isRolePermitted(member.role, 'administer')],
    ['/console/settings/sessions', texts.sessions, true],
    ['/console/settings/passkeys', textsOf(page.locale, passkeyTexts).title, true],
    ['/console/settings/import', textsOf(page.locale, importTexts).title, true],
    ['/console/settings/people', data.title, isRolePermitted(member.role, 'own')],
    ['/console/settings/support', data.supportTitle, true],
  ] as const
  const parts = all.flatMap(([to, text, isShown]) => (isShown ? [[to, text] as const] : []))
  return shell({
    request,
    title: texts.title,
    status,
    refreshes,
    done: page.url.searchParams.get('done') === '1' ? (done ?? saved) : undefined,
    children: (
      <>
        <Tabs label={texts.parts} parts={parts} here={here} />
        {children}
      </>
    ),
  })
}
