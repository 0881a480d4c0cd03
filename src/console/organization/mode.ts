import { seeOther } from '../../pages/respond.ts'
import { workIn } from '../../people/sign-in/sessions.ts'
import type { MemberRequest } from '../request.ts'

/** From real data to test data or back. */
export async function chooseMode({ page, form, session }: MemberRequest): Promise<Response> {
  await workIn(page.ctx.env, session.id, { isTest: form.get('mode') === 'test' })
  return seeOther(page, '/console')
}
