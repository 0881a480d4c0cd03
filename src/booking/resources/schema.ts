import * as z from 'zod'
import { MOST_UNITS } from '../../engine/schedule/resources/unit-numbers.ts'
import { RESOURCE_KINDS } from '../../platform/db/schema/resources.ts'
import { Id, Lines, OneLine, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { PageQuery, pageOf } from '../../platform/http/page-schema.ts'

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c49',
  name: 'Treatment room',
  kind: 'room' as const,
  quantity: 2,
  schedule_id: null,
  notes: 'First floor',
  active: true,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
}

export const ResourceKind = z
  .enum(RESOURCE_KINDS)
  .meta({ id: 'ResourceKind', description: 'What it is. It changes nothing about how it is booked.' })

export const Resource = z
  .object({
    id: ResourceId,
    name: z.string(),
    kind: ResourceKind,
    quantity: z.int().describe('How many units of it there are.'),
    schedule_id: ResourceId.nullable().describe('When it can be used; null is always.'),
    notes: z.string().nullable(),
    active: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'Resource',
    description: 'A room, equipment or anything else that bookings hold units of.',
    example: EXAMPLE,
  })
export type Resource = z.output<typeof Resource>

export const ResourcePage = pageOf(Resource, 'ResourcePage')

const writable = {
  name: OneLine(255).describe('Bookings keep the name that it had when they were made.'),
  kind: ResourceKind,
  quantity: z
    .int()
    .min(1)
    .max(MOST_UNITS)
    .describe('How many units of it there are, numbered from 1. Bookings stay if it is lowered.'),
  schedule_id: Id.nullable().describe(
    'The schedule in which it can be used; null is always. Its times are in its own zone.',
  ),
  notes: Lines(1000).nullable().describe('For members only.'),
  active: z.boolean().describe('An inactive one is closed. Bookings stay.'),
}

export const CreateResourceInput = z
  .object({
    ...writable,
    kind: writable.kind.default('room'),
    quantity: writable.quantity.default(1),
    schedule_id: writable.schedule_id
      .default(null)
      .describe(
        'The schedule in which it can be used; null is always. Its times are in its own zone. Default: null.',
      ),
    notes: writable.notes.default(null),
    active: writable.active.default(true),
  })
  .meta({
    id: 'CreateResourceInput',
    description: 'A new room or piece of equipment.',
    example: { name: EXAMPLE.name, quantity: 2 },
  })
export type CreateResourceInput = z.output<typeof CreateResourceInput>

export const UpdateResourceInput = z
  .object(writable)
  .partial()
  .meta({ id: 'UpdateResourceInput', description: 'The fields to change.', example: { quantity: 3 } })
export type UpdateResourceInput = z.output<typeof UpdateResourceInput>

export const ResourceParams = z.object({ id: Id })
export const ResourceQuery = PageQuery
