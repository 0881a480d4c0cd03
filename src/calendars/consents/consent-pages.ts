import type { PageDescription } from '../../platform/http/openapi/page-operation.ts'
import { ACCOUNT_PROVIDERS } from '../accounts/providers.ts'
import { ConsentAnswer, ProviderAnswer } from './schema.ts'

/** The pages that an OAuth client is sent to, for the documentation. */
export const consentPages: readonly PageDescription[] = Object.values(ACCOUNT_PROVIDERS).flatMap(
  ({ path, name, word, tag }) => [
    {
      method: 'GET',
      path: `${path}/callback`,
      operationId: `ask${word}Consent`,
      tag,
      summary: `Return from ${name}`,
      description:
        'The provider redirects the owner of the account here, in their browser. A page names the organization and the account, and asks whether to connect them; nothing is stored yet. An administrator who consented for an organization is redirected here too: see the calls that return such a URL.',
      query: ProviderAnswer,
      page: 'Asks the owner of the account, or says what comes next.',
      redirect:
        'An error is added to the `redirect_url` of the connect call, if it has one: `error` and `error_description` are in its query. If an administrator must agree first, a page says so, and its link back has `reason=admin_consent_required` too.',
      refusals: ['bad_request', 'not_found', 'conflict', 'bad_gateway'],
    },
    {
      method: 'POST',
      path: `${path}/callback`,
      operationId: `answer${word}Consent`,
      tag,
      summary: `Connect the account at ${name}, or not`,
      description: 'The form of that page. It is accepted from that page only, and once.',
      form: ConsentAnswer,
      page: 'It is connected, or nothing was.',
      redirect:
        'Goes on to the `redirect_url` of the connect call, where it named one: `calendar=connected` or `conferencing=connected` is in its query, or `error` and `error_description`.',
      refusals: ['validation_error', 'bad_request', 'forbidden', 'not_found', 'conflict', 'bad_gateway'],
    },
  ],
)
