import * as z from 'zod'

export const ManageLink = z.object({ url: z.string() }).meta({
  id: 'ManageLink',
  description: 'The page on which the invitee changes the booking. Anyone with the link can.',
  example: { url: 'https://book.example.com/bookings/0192f1e0-7c11-7000-8000-3b1f0a5d9c43?token=n5zL0v3q' },
})

export const ResentEmails = z
  .object({ sent: z.int().describe('How many emails are sent.') })
  .meta({ id: 'ResentEmails', description: 'The emails that are sent again.', example: { sent: 1 } })
