import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { isChecked } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { CopyLine } from '../views/copy-line.tsx'
import { CheckField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import type { Shown } from './shown-booking.ts'

type Props = {
  readonly request: MemberRequest
  readonly booking: Shown
  readonly trouble?: Trouble | undefined
}

/** The invitee's link, once somebody asked for it, and the confirmation once more. */
export function LinkAndEmails({ request, booking, trouble = NO_TROUBLE }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, bookingChangeTexts)
  const { id, link, status, attendees, guests } = booking
  const canResend = status !== 'pending_payment' && request.member.inviteeEmails !== 'none'
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE || link !== undefined}>
      <summary>{texts.links}</summary>
      {link === undefined ? (
        <Form request={request} action={`/console/bookings/${id}/link`}>
          <p class="soft">{texts.copyLinkText}</p>
          <FormEnd request={request} text={texts.copyLink} tone="soft-button" />
        </Form>
      ) : (
        <>
          <p class="soft">{texts.linkShown}</p>
          <CopyLine locale={locale} text={link} />
        </>
      )}
      {canResend && (
        <Form request={request} action={`/console/bookings/${id}/resend`} trouble={trouble} once>
          {attendees.length + guests.length > 1 && (
            <CheckField
              locale={locale}
              name="everybody"
              label={texts.toEverybody}
              isChecked={isChecked(request.form, 'everybody')}
            />
          )}
          <FormEnd request={request} text={texts.resend} tone="soft-button" />
        </Form>
      )}
    </details>
  )
}
