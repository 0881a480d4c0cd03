import type { ComponentChildren } from 'preact'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { emailTextTexts } from '../../platform/i18n/console/email-texts.ts'
import { pageTexts } from '../../platform/i18n/console/page.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import type { MemberRequest } from '../request.ts'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'

type Props = {
  readonly request: MemberRequest
  readonly here: '/console/page' | '/console/page/address' | '/console/page/emails' | '/console/page/embed'
  readonly status?: number
  /** What was done, if it was not saved. */
  readonly done?: string
  readonly children: ComponentChildren
}

/** What the public sees of an organization, and where. */
export function pageShell({ request, here, status = 200, done, children }: Props): Response {
  const { page } = request
  const texts = textsOf(page.locale, pageTexts)
  const parts = [
    ['/console/page', texts.look],
    ['/console/page/address', texts.address],
    ['/console/page/emails', textsOf(page.locale, emailTextTexts).emails],
    ['/console/page/embed', texts.embed],
  ] as const
  return shell({
    request,
    title: texts.title,
    status,
    framesOwn: true,
    done: done ?? (page.url.searchParams.has('done') ? textsOf(page.locale, shellTexts).saved : undefined),
    children: (
      <>
        <Tabs label={texts.parts} parts={parts} here={here} />
        {children}
      </>
    ),
  })
}
