import { letterBody } from '../mail/letter-body.ts'
import type { Letter } from '../mail/post-letter.ts'
import type { InvitationRow } from './queries.ts'

export function invitationLetter(invitation: InvitationRow, organizationName: string, token: string): Letter {
  const subject = `You are invited to join ${organizationName}`
  const lines = [
    `${organizationName} invites you to join its team with the role ${invitation.role}.`,
    `It is valid until ${new Date(invitation.expiresAt).toUTCString()}. To accept it, give them this token:`,
    token,
  ]
  return {
    onceKey: `${invitation.id}/invitation`,
    to: invitation.email,
    subject,
    ...letterBody({ heading: subject, lines }),
  }
}
