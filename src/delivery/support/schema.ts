import * as z from 'zod'
import { Lines, OneLine, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { pageOf } from '../../platform/http/page-schema.ts'

const Category = z
  .enum(['bug', 'billing', 'question', 'feature'])
  .meta({ id: 'SupportCategory', description: 'What a request is about.' })

export const SupportRequest = z
  .object({
    id: ResourceId,
    subject: z.string(),
    message: z.string(),
    category: Category,
    status: z.enum(['open']),
    created_at: Timestamp,
  })
  .meta({
    id: 'SupportRequest',
    description: 'A request to the operator of the service.',
    example: {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      subject: 'Slots on Sundays',
      message: 'Can an event type be open on every second Sunday?',
      category: 'question',
      status: 'open',
      created_at: '2026-03-01T09:00:00.000Z',
    },
  })
export type SupportRequest = z.output<typeof SupportRequest>

export const SupportRequestPage = pageOf(SupportRequest, 'SupportRequestPage')

export const CreateSupportRequestInput = z
  .object({
    subject: OneLine(200),
    message: Lines(5000).min(1),
    category: Category,
  })
  .meta({
    id: 'CreateSupportRequestInput',
    description: 'What the request is about.',
    example: {
      subject: 'Slots on Sundays',
      message: 'Can an event type be open on every second Sunday?',
      category: 'question',
    },
  })
export type CreateSupportRequestInput = z.output<typeof CreateSupportRequestInput>
