import * as z from 'zod'
import { Color, Lines } from '../../platform/http/fields.ts'

const EXAMPLE = {
  logo_url: 'https://example.com/logo.png',
  logo_alt_text: 'Acme Coaching',
  logo_dark_url: null,
  accent_color: '#0f766e',
  remove_branding: false,
  listing_page_enabled: true,
  imprint_url: 'https://example.com/imprint',
  privacy_url: 'https://example.com/privacy',
}

export const Branding = z
  .object({
    logo_url: z.string().nullable(),
    logo_alt_text: z.string().nullable(),
    logo_dark_url: z
      .string()
      .nullable()
      .describe('For dark backgrounds. Without it, the other one is shown on a light plate.'),
    accent_color: z
      .string()
      .nullable()
      .describe('The color of buttons in pages and emails; null uses that of each event type.'),
    remove_branding: z.boolean().describe('Takes effect on paid plans only.'),
    listing_page_enabled: z.boolean(),
    imprint_url: z.string().nullable(),
    privacy_url: z.string().nullable(),
  })
  .meta({ id: 'Branding', description: 'The look of booking pages and emails.', example: EXAMPLE })
export type Branding = z.output<typeof Branding>

const PublicUrl = z
  .string()
  .max(2048)
  .nullable()
  .optional()
  .describe('An https URL on a public host.')
  .meta({ format: 'uri' })

export const UpdateBrandingInput = z
  .object({
    logo_url: PublicUrl,
    logo_alt_text: Lines(255).nullable().optional(),
    logo_dark_url: PublicUrl,
    accent_color: Color.nullable().optional(),
    remove_branding: z.boolean().optional().describe('True needs a paid plan.'),
    listing_page_enabled: z.boolean().optional(),
    imprint_url: PublicUrl,
    privacy_url: PublicUrl,
  })
  .meta({
    id: 'UpdateBrandingInput',
    description: 'What to change; null clears a nullable field.',
    example: { logo_url: 'https://example.com/logo.png', logo_alt_text: 'Acme Coaching' },
  })
export type UpdateBrandingInput = z.output<typeof UpdateBrandingInput>
