import type { ComponentChildren } from 'preact'
import type { InviteeBooking } from '../../booking/bookings/get-for-invitee.ts'
import type { Page } from '../page.ts'
import { Brand } from './brand.tsx'
import { Document, tintClass } from './document.tsx'

type Props = {
  readonly page: Page
  readonly found: {
    readonly organization: Pick<InviteeBooking['organization'], 'name' | 'branding'>
    readonly eventType: { title: string; color: string }
  }
  readonly title: string
  readonly children: ComponentChildren
  readonly script?: 'pay'
  readonly leadsTo?: string | undefined
  readonly data?: Readonly<Record<`data-${string}`, string>>
}

/** A page about one person's booking: for their eyes only. */
export function BookingDocument({ page, found, title, children, data = {}, script, leadsTo }: Props) {
  const { organization, eventType } = found
  const color = page.color ?? organization.branding.accent_color ?? eventType.color
  return (
    <Document
      page={page}
      title={`${title} · ${organization.name}`}
      colors={[color]}
      leadsTo={leadsTo}
      showsProduct={!organization.branding.remove_branding}
      ownLinks={organization.branding}
      isPrivate
      data={data}
      {...(script && { script })}
    >
      <div class={`card narrow ${tintClass(color)}`}>
        <Brand page={page} branding={organization.branding} orgName={organization.name} href={null} />
        {children}
      </div>
    </Document>
  )
}
