import type { Env } from '../../env.ts'

/** Whether anybody may make an organization, or only who was invited and who holds a link of the service key. */
export function isSignUpOpen(env: Pick<Env, 'SIGN_UP'>): boolean {
  return env.SIGN_UP === 'open'
}
