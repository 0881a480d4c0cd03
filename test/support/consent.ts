import { formOf, type Visit, type Visited } from './pages.ts'

type Visitor = (path: string, how?: Visit) => Promise<Visited>

/** The owner of an account, back from the provider, reads what is asked and presses one of the buttons. */
export async function answerConsent(
  visit: Visitor,
  back: URL | string,
  answer: 'connect' | 'decline' = 'connect',
): Promise<Visited> {
  const { pathname, search } = new URL(back, 'https://holdfast.test')
  const asked = await visit(`${pathname}${search}`)
  return asked.status === 200 ? pressOn(visit, asked, answer) : asked
}

export function pressOn(visit: Visitor, asked: Visited, answer: 'connect' | 'decline'): Promise<Visited> {
  const { action, fields } = formOf(asked, '/callback', `value="${answer}"`)
  return visit(action, { form: fields })
}
