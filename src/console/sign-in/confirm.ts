import { seeOther } from '../../pages/respond.ts'
import { nextPath } from '../next-path.ts'
import { askForProof, isProven } from '../proven.ts'
import type { SignedInRequest } from '../request.ts'
import { askBefore } from './prove.tsx'

/** Asks somebody who is signed in to prove once more who they are, before a screen that needs it. */
export async function showConfirm(request: SignedInRequest): Promise<Response> {
  const next = nextPath(request.page.url.searchParams.get('next'))
  return isProven(request) ? seeOther(request.page, next) : askBefore(request, next)
}

export async function answerConfirm(request: SignedInRequest): Promise<Response> {
  const proof = await askForProof(request, '/console')
  return proof ?? seeOther(request.page, nextPath(request.form.get('next')))
}
