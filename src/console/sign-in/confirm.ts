import { seeOther } from '../../pages/respond.ts'
import { nextPath } from '../next-path.ts'
import { askForProof, isProven } from '../proven.ts'
import type { SignedInRequest } from '../request.ts'
import { askBefore } from './prove.tsx'

/** Asks somebody who is signed in to prove once more who they are, before a screen that needs it. */
export async function showConfirm(guest: SignedInRequest): Promise<Response> {
  const next = nextPath(guest.page.url.searchParams.get('next'))
  return isProven(guest) ? seeOther(guest.page, next) : askBefore(guest, next)
}

export async function answerConfirm(guest: SignedInRequest): Promise<Response> {
  const proof = await askForProof(guest, '/console')
  return proof ?? seeOther(guest.page, nextPath(guest.form.get('next')))
}
