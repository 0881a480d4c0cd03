import type { ComponentChildren } from 'preact'
import type { InviteeBooking } from '../../resources/bookings/get-for-invitee.ts'
import type { Page } from '../page.ts'
import { Brand } from './brand.tsx'
import { Document, tintClass } from './document.tsx'

type Props = {
  readonly page: Page
  readonly found: Pick<InviteeBooking, 'organization'> & {
    readonly eventType: { title: string; color: string }
  }
  readonly title: string
  readonly children: ComponentChildren
  readonly script?: 'pay'
  readonly data?: Readonly<Record<`data-${string}`, string>>
}

/** A page about one person's booking: for their eyes only. */
export function BookingDocument({ page, found, title, children, data = {}, script }: Props) {
  const { organization, eventType } = found
  return (
    <Document
      page={page}
      title={`${title} · ${organization.name}`}
      colors={[eventType.color]}
      showsProduct={!organization.branding.remove_branding}
      isPrivate
      data={data}
      {...(script && { script })}
    >
      <div class={`card narrow ${tintClass(eventType.color)}`}>
        <Brand branding={organization.branding} orgName={organization.name} href={null} />
        {children}
      </div>
    </Document>
  )
}
