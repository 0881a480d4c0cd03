import * as z from 'zod'

const EXAMPLE = {
  logo_url: 'https://example.com/logo.png',
  logo_alt_text: 'Acme Coaching',
  remove_branding: false,
  listing_page_enabled: true,
}

export const Branding = z
  .object({
    logo_url: z.string().nullable(),
    logo_alt_text: z.string().nullable(),
    remove_branding: z.boolean().describe('Takes effect on paid plans only.'),
    listing_page_enabled: z.boolean(),
  })
  .meta({ id: 'Branding', description: 'How booking pages look.', example: EXAMPLE })
export type Branding = z.output<typeof Branding>

export const UpdateBrandingInput = z
  .object({
    logo_url: z
      .string()
      .max(2048)
      .nullable()
      .optional()
      .describe('An https URL on a public host.')
      .meta({ format: 'uri' }),
    logo_alt_text: z.string().max(255).nullable().optional(),
    remove_branding: z.boolean().optional().describe('True needs a paid plan.'),
    listing_page_enabled: z.boolean().optional(),
  })
  .meta({
    id: 'UpdateBrandingInput',
    description: 'What to change; null clears a nullable field.',
    example: { logo_url: 'https://example.com/logo.png', logo_alt_text: 'Acme Coaching' },
  })
export type UpdateBrandingInput = z.output<typeof UpdateBrandingInput>
