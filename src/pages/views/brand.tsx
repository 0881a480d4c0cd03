import type { Branding } from '../../booking/branding/schema.ts'
import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  readonly branding: Branding
  readonly orgName: string
  readonly href: string | null
}

/** The organization's logo, or its name. Screen readers read the name either way. */
export function Brand({ page, branding, orgName, href }: Props) {
  const { logo_alt_text: alt } = branding
  const mark = branding.logo_url ? (
    <>
      <Logo page={page} branding={branding} />
      {alt === null && <bdi>{orgName}</bdi>}
    </>
  ) : (
    <bdi>{orgName}</bdi>
  )
  return <p class="brand">{href === null ? mark : <a href={href}>{mark}</a>}</p>
}

/** In the dark, a logo that was made for it; another one stands on a light plate. */
function Logo({ page: { theme }, branding }: Pick<Props, 'page' | 'branding'>) {
  const { logo_url: logo, logo_dark_url: dark, logo_alt_text: alt } = branding
  const isOnlyDark = theme === 'dark' && dark !== null
  const image = (
    <img class={dark ? 'logo' : 'logo plate'} src={(isOnlyDark ? dark : logo)!} alt={alt ?? ''} height={40} />
  )
  if (dark === null || theme !== null) return image
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcset={dark} />
      {image}
    </picture>
  )
}
