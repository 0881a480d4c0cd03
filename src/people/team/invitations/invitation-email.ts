import { type Env, urlAt } from '../../../env.ts'
import { emailBody } from '../../../outbox/mail/email-body.ts'
import type { OutgoingEmail } from '../../../outbox/mail/enqueue-email.ts'
import { inBody } from '../../../outbox/mail/in-body.ts'
import { inSubject } from '../../../outbox/mail/in-subject.ts'
import type { Person, Sender } from '../../../outbox/mail/sender.ts'
import { momentText, usableZone } from '../../../platform/i18n/format.ts'
import { localeOf } from '../../../platform/i18n/locale.ts'
import { fill } from '../../../platform/i18n/plural.ts'
import { spokenTag } from '../../../platform/i18n/tags.ts'
import type { InvitationRow } from './queries.ts'

type News = {
  readonly invitation: InvitationRow
  readonly token: string
  readonly sender: Sender
  readonly people: readonly Person[]
}

/** Where the invitation is accepted with the link in its email. */
function invitationUrl(env: Env, token: string): string {
  return urlAt(env, `/invitations?token=${encodeURIComponent(token)}`)
}

/** In the language of the organization, for nothing is known of whom it goes to. */
export function invitationEmail(env: Env, { invitation, token, sender, people }: News): OutgoingEmail {
  const { id, email, role, expiresAt } = invitation
  const locale = localeOf(spokenTag(sender.locale))
  const { emails } = locale
  const roles = { admin: emails.roleAdmin, member: emails.roleMember, viewer: emails.roleViewer }
  const org = inBody(sender.name)
  const time = momentText(locale, expiresAt, usableZone(sender.timezone))
  const content = {
    heading: fill(emails.invitationHeading, { org }),
    paragraphs: [fill(emails.invitationText, { org, role: roles[role], time })],
    action: { label: emails.acceptInvitation, url: invitationUrl(env, token) },
    reason: fill(emails.whyInvited, { org }),
  }
  return {
    onceKey: `${id}/invitation`,
    to: email,
    replyTo: people.find(({ isOwner }) => isOwner)?.email || undefined,
    subject: fill(emails.invitationSubject, { org: inSubject(sender.name) }),
    ...emailBody({ locale, sender }, content),
  }
}
