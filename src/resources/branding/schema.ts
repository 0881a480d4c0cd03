import { z } from 'zod'

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
    remove_branding: z.boolean(),
    listing_page_enabled: z.boolean(),
  })
  .meta({ id: 'Branding', description: 'How booking pages look.', example: EXAMPLE })
export type Branding = z.output<typeof Branding>
