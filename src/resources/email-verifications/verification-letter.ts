import { letterBody } from '../mail/letter-body.ts'
import type { Letter } from '../mail/post-letter.ts'

type News = {
  readonly onceKey: string
  readonly to: string
  readonly code: string
  readonly title: string
  readonly organizationName: string
}

export function verificationLetter({ onceKey, to, code, title, organizationName }: News): Letter {
  const heading = `Your code is ${code}`
  const lines = [
    `Enter it to book ${title} with ${organizationName}. It is valid for ten minutes and for one booking.`,
    'If you did not ask for it, you need not do anything: without the code, nothing is booked in your name.',
  ]
  const subject = `Your code for ${title} with ${organizationName}`
  return { onceKey, to, subject, ...letterBody({ heading, lines }) }
}
