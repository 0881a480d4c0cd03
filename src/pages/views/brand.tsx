import type { Branding } from '../../resources/branding/schema.ts'

type Props = { readonly branding: Branding; readonly orgName: string; readonly href: string | null }

/** Whose page it is: their logo, or their name. The name is read out either way. */
export function Brand({ branding, orgName, href }: Props) {
  const { logo_url: logo, logo_alt_text: alt } = branding
  const mark = logo ? (
    <>
      <img class="logo" src={logo} alt={alt ?? ''} height={40} />
      {alt === null && <span>{orgName}</span>}
    </>
  ) : (
    <span>{orgName}</span>
  )
  return <p class="brand">{href === null ? mark : <a href={href}>{mark}</a>}</p>
}
