import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { isChecked } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { CheckField } from '../views/fields.tsx'

type Props = {
  readonly request: MemberRequest
  /** Whether its form was sent before: then it shows what was chosen. */
  readonly isSent: boolean
}

/** Whether people in the booking get an email about a change. */
export function NotifyField({ request, isSent }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, bookingChangeTexts)
  if (isOnItsOwn(request)) return <p class="soft">{texts.sendsOwn}</p>
  return (
    <CheckField
      locale={locale}
      name="notify"
      label={texts.notifyInvitee}
      hint={texts.notifyHint}
      isChecked={!isSent || isChecked(request.form, 'notify')}
    />
  )
}

/** The same as the endpoints take it: left out if they decide. */
export function notifyIn(request: MemberRequest): { readonly notify?: false } {
  return isOnItsOwn(request) || isChecked(request.form, 'notify') ? {} : { notify: false }
}

/** Whether a change notifies the invitee. */
export function notifiesInvitee(request: MemberRequest): boolean {
  return !isOnItsOwn(request) && isChecked(request.form, 'notify')
}

function isOnItsOwn({ member }: MemberRequest): boolean {
  return member.inviteeEmails === 'none'
}
