import type { Env } from '../env.ts'
import type { SessionRow } from '../people/sign-in/sessions.ts'
import { isTokenFor, tokenFor } from '../platform/auth/secret.ts'

/**
 * The token of a person's forms. It names the organization and the side that they were made for, so that a form from
 * another tab never acts on what this one shows.
 */
function subjectOf({ id, organizationId, isTest }: SessionRow): string {
  return `console-form/${id}/${organizationId ?? ''}/${isTest ? 'test' : 'live'}`
}

export function formTokenOf(env: Env, session: SessionRow): Promise<string> {
  return tokenFor(env.ENCRYPTION_KEY, subjectOf(session))
}

export function isFormTokenOf(env: Env, session: SessionRow, token: string): Promise<boolean> {
  return isTokenFor(env.ENCRYPTION_KEY, subjectOf(session), token)
}
