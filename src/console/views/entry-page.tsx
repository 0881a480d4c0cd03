import type { ComponentChildren, VNode } from 'preact'
import type { Page } from '../../pages/page.ts'
import { html } from '../../pages/respond.ts'
import { ConsoleDocument } from './console-document.tsx'

type Props = {
  readonly page: Page
  readonly title: string
  readonly lead?: string | undefined
  readonly children?: ComponentChildren
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly goesOnTo?: string
}

/** A page with one card, for requests without an organization. */
export function entryPage({
  page,
  title,
  lead,
  children,
  status = 200,
  headers = {},
  goesOnTo,
}: Props): Response {
  const card: VNode = (
    <ConsoleDocument page={page} title={`${title} · Holdfast`} kind="door" goesOnTo={goesOnTo}>
      <main id="main" tabIndex={-1}>
        <p class="mark">
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <span>Holdfast</span>
        </p>
        <div class="card entry">
          <header>
            <h1>{title}</h1>
            {lead && <p class="soft">{lead}</p>}
          </header>
          {children}
        </div>
      </main>
    </ConsoleDocument>
  )
  return html(page, card, { status, headers, isPrivate: true })
}
