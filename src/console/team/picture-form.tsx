import { memberRoutes } from '../../people/team/member-routes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import { ask } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { sendImage } from '../send-image.ts'
import type { Trouble } from '../trouble.ts'
import { ImageForm } from '../views/image-form.tsx'

const FILE = 'picture_file'

type Props = {
  readonly request: MemberRequest
  readonly action: `/console${string}`
  readonly url: string | null
  readonly trouble?: Trouble | undefined
}

export function PictureForm({ request, action, url, trouble }: Props) {
  const texts = textsOf(request.page.locale, teamTexts)
  return (
    <ImageForm
      request={request}
      action={action}
      id={FILE}
      label={texts.picture}
      hint={texts.pictureText}
      url={url}
      {...(trouble && { trouble })}
    />
  )
}

/** Uploads or removes the picture of a member; null if that is done. */
export function sendPicture(
  request: MemberRequest,
  params: { readonly orgId: string; readonly memberId: string },
) {
  return sendImage(request, FILE, {
    put: (file) => ask(request, memberRoutes.putAvatar, { params, file }),
    remove: () => ask(request, memberRoutes.deleteAvatar, { params }),
  })
}
