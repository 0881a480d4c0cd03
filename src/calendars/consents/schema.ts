import * as z from 'zod'

/** What a provider sends back with the owner of an account. */
export const ProviderAnswer = z.object({
  state: z.string().optional().describe('The state from the connect call.'),
  code: z.string().optional().describe("The provider's authorization code."),
  error: z.string().optional().describe('The error if there is no code.'),
  error_description: z.string().optional().describe("The error in words, with the provider's own code."),
  admin_consent: z
    .string()
    .optional()
    .describe('Present if an administrator answered for an organization; `error` says whether they agreed.'),
})
export type ProviderAnswer = z.output<typeof ProviderAnswer>

/** What the form of the page sends. */
export const ConsentAnswer = z
  .object({
    answer: z.enum(['connect', 'decline']),
    grant: z.string().describe('The state of the page; valid for ten minutes and once.'),
  })
  .meta({
    id: 'ConsentAnswer',
    description: 'The button that the owner of the account presses.',
    example: { answer: 'connect', grant: 'g1.Zk1mXo2Jq7sVb8nRy3cLw6dEa5gHu0iPtKfMxQz4fT9' },
  })
