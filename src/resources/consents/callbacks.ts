import type { PageDescription } from '../../http/openapi/page-operation.ts'
import { callbackPath, SUITES } from '../calendars/oauth-provider.ts'
import { CALLBACK_PATH } from '../conferencing/oauth-provider.ts'
import type { ConsentProvider } from './providers.ts'
import { ConsentAnswer, ProviderAnswer } from './schema.ts'

type Callback = { readonly path: string; readonly name: string; readonly word: string; readonly tag: string }

/** Where providers send the owner of an account back to, and the providers' names for people. */
export const CALLBACKS: Readonly<Record<ConsentProvider, Callback>> = {
  calendar_a: {
    path: callbackPath('calendar_a'),
    name: SUITES.calendar_a.name,
    word: 'Google',
    tag: 'Calendars',
  },
  calendar_b: {
    path: callbackPath('calendar_b'),
    name: SUITES.calendar_b.name,
    word: 'Microsoft',
    tag: 'Calendars',
  },
  video_a: { path: CALLBACK_PATH, name: 'Zoom', word: 'Zoom', tag: 'Conferencing' },
}

/** The pages that an OAuth client meets on its way, for the documentation. */
export const consentPages: readonly PageDescription[] = Object.values(CALLBACKS).flatMap(
  ({ path, name, word, tag }) => [
    {
      method: 'GET',
      path,
      operationId: `ask${word}Consent`,
      tag,
      summary: `Come back from ${name}`,
      description:
        'The owner of the account comes here from the provider, in their browser. A page names the organization and the account, and asks whether to connect them; nothing is kept yet.',
      query: ProviderAnswer,
      page: 'Asks the owner of the account.',
      redirect:
        'What failed is told at the `redirect_url` of the connect call, where it named one: `error` and `error_description` are in its query.',
      refusals: ['bad_request', 'not_found', 'conflict', 'bad_gateway'],
    },
    {
      method: 'POST',
      path,
      operationId: `answer${word}Consent`,
      tag,
      summary: `Connect the account at ${name}, or not`,
      description: 'What the form of the page sends. It is taken from that page only, and once.',
      form: ConsentAnswer,
      page: 'It is connected, or nothing was.',
      redirect:
        'Goes on to the `redirect_url` of the connect call, where it named one: `calendar=connected` or `conferencing=connected` is in its query, or `error` and `error_description`.',
      refusals: ['validation_error', 'bad_request', 'forbidden', 'not_found', 'conflict', 'bad_gateway'],
    },
  ],
)
