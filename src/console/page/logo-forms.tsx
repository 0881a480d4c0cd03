import type { Branding } from '../../booking/branding/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { pageTexts } from '../../platform/i18n/console/page.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { ImageForm } from '../views/image-form.tsx'

type Props = { readonly request: MemberRequest; readonly branding: Branding; readonly trouble: Trouble }

/** The logos, each with a form of its own. The trouble of one has its id. */
export function LogoForms({ request, branding, trouble }: Props) {
  const texts = textsOf(request.page.locale, pageTexts)
  const of = (id: string) => (trouble.fields?.[id] ? { trouble } : {})
  return (
    <>
      <ImageForm
        request={request}
        action="/console/page/logo"
        id="logo_file"
        label={texts.logo}
        hint={texts.logoText}
        url={branding.logo_url}
        {...of('logo_file')}
      />
      <ImageForm
        request={request}
        action="/console/page/logo-dark"
        id="logo_dark_file"
        label={texts.logoDark}
        hint={texts.logoDarkHint}
        url={branding.logo_dark_url}
        ground="dark"
        {...of('logo_dark_file')}
      />
    </>
  )
}
