import { brandingRoutes } from '../../booking/branding/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { ask, need } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { sendImage } from '../send-image.ts'
import { lookPage } from './page-appearance.tsx'

export function saveLogo(request: MemberRequest): Promise<Response> {
  return save(request, 'logo_file', {
    put: (file) => ask(request, brandingRoutes.putLogo, { file }),
    remove: () => ask(request, brandingRoutes.deleteLogo),
  })
}

export function saveDarkLogo(request: MemberRequest): Promise<Response> {
  return save(request, 'logo_dark_file', {
    put: (file) => ask(request, brandingRoutes.putDarkLogo, { file }),
    remove: () => ask(request, brandingRoutes.deleteDarkLogo),
  })
}

async function save(request: MemberRequest, id: string, ways: Parameters<typeof sendImage>[2]) {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const wrong = await sendImage(request, id, ways)
  if (!wrong) return seeOther(request.page, '/console/page?done=1')
  const branding = await need(request, brandingRoutes.getBranding)
  return lookPage(request, branding, { images: wrong.trouble }, wrong.status)
}
