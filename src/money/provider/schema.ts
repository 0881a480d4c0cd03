import * as z from 'zod'
import { Timestamp } from '../../platform/http/fields.ts'
import { problem } from '../../platform/reasons/reason.ts'

export const ConnectQuery = z.object({
  redirect_url: z
    .string()
    .max(2048)
    .optional()
    .describe('Where the provider redirects afterwards: an https URL on a public host.')
    .meta({ format: 'uri' }),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, problem('not_a_country'))
    .transform((country) => country.toUpperCase())
    .optional()
    .describe(
      "The organization's country, in two letters (ISO 3166-1), such as `DE`. Required until the organization has an account; an account stays in its country, so it is ignored later.",
    ),
})

export const ConnectPage = z.object({ url: z.string() }).meta({
  id: 'ConnectPage',
  description: 'A page of the payment provider; it opens once and expires within minutes.',
  example: { url: 'https://connect.stripe.com/setup/e/acct_1/abc' },
})
export type ConnectPage = z.output<typeof ConnectPage>

export const ProviderConnection = z
  .object({
    connected: z.boolean().describe('Whether all data that the provider requires was entered.'),
    payment_provider_account_id: z.string().nullable(),
    connected_at: Timestamp.nullable(),
    charges_enabled: z.boolean().describe('Whether paid bookings can be made.'),
    payouts_enabled: z.boolean(),
  })
  .meta({
    id: 'ProviderConnection',
    description: "The organization's connection to the payment provider.",
    example: {
      connected: true,
      payment_provider_account_id: 'acct_1MZ7Hq2eZvKYlo2C',
      connected_at: '2026-03-01T09:00:00.000Z',
      charges_enabled: true,
      payouts_enabled: true,
    },
  })
export type ProviderConnection = z.output<typeof ProviderConnection>

export const Disconnected = z.object({ disconnected: z.boolean(), message: z.string() }).meta({
  id: 'Disconnected',
  description: 'The new state of the connection.',
  example: { disconnected: true, message: 'Paid bookings are refused until a provider is connected again.' },
})
export type Disconnected = z.output<typeof Disconnected>
