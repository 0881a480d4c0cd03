import type { Env } from '../../env.ts'
import { letterBody } from '../mail/letter-body.ts'
import type { Letter } from '../mail/post-letter.ts'
import type { InvitationRow } from './store.ts'

export function invitationLetter(
  env: Env,
  invitation: InvitationRow,
  organizationName: string,
  token: string,
): Letter {
  const subject = `You are invited to join ${organizationName}`
  const lines = [
    `${organizationName} invites you to join its team with the role ${invitation.role}.`,
    `The invitation is good until ${new Date(invitation.expiresAt).toUTCString()}.`,
  ]
  const action = {
    label: 'Accept the invitation',
    url: `${env.PUBLIC_URL}/invitations/accept?token=${token}`,
  }
  return {
    onceKey: `invitation/${invitation.id}`,
    to: invitation.email,
    subject,
    ...letterBody({ heading: subject, lines, action }),
  }
}
