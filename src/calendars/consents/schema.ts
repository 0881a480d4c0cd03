import * as z from 'zod'

/** What a provider sends back with the owner of an account. */
export const ProviderAnswer = z.object({
  state: z.string().optional().describe('What the connect call gave the provider to bring back.'),
  code: z.string().optional().describe('What the provider gives the account for.'),
  error: z.string().optional().describe('Why there is no code.'),
  error_description: z.string().optional().describe('The same in words, with a code of its own in them.'),
  admin_consent: z
    .string()
    .optional()
    .describe('There where an administrator answered for an organization; `error` says whether they agreed.'),
})
export type ProviderAnswer = z.output<typeof ProviderAnswer>

/** What the form of the page sends. */
export const ConsentAnswer = z
  .object({
    answer: z.enum(['connect', 'decline']),
    grant: z.string().describe('What the page was given to bring back, within ten minutes and once.'),
  })
  .meta({
    id: 'ConsentAnswer',
    description: 'What the owner of the account presses.',
    example: { answer: 'connect', grant: 'g1.Zk1mXo2Jq7sVb8nRy3cLw6dEa5gHu0iPtKfMxQz4fT9' },
  })
