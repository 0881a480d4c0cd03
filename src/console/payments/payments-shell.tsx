import type { ComponentChildren } from 'preact'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { shell } from '../views/shell.tsx'
import { Tabs } from '../views/tabs.tsx'
import { doneIn } from './done.ts'

type Props = {
  readonly request: MemberRequest
  readonly here: '/console/payments' | '/console/payments/provider' | '/console/payments/plan'
  readonly status?: number
  /** What a form of the page was refused for. */
  readonly trouble?: Trouble
  readonly children: ComponentChildren
}

/** The parts of payments and plan, and one of them. */
export function paymentsShell({ request, here, status = 200, trouble = {}, children }: Props): Response {
  const texts = textsOf(request.page.locale, paymentsTexts)
  const parts = [
    ['/console/payments', texts.payments],
    ['/console/payments/provider', texts.provider],
    ['/console/payments/plan', texts.plan],
  ] as const
  return shell({
    request,
    title: texts.title,
    status,
    done: doneIn(request),
    children: (
      <>
        <Tabs label={texts.parts} parts={parts} here={here} />
        {trouble.title && (
          <p class="problem" role="alert">
            {trouble.title}
          </p>
        )}
        {children}
      </>
    ),
  })
}
