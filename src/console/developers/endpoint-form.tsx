import { EVENT_KINDS } from '../../platform/db/schema/records.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { webhooksTexts } from '../../platform/i18n/console/webhooks.ts'
import { isChecked } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'

/** As the fields show it. */
export type TypedEndpoint = {
  readonly url: string
  readonly description: string
  readonly secret: string
  readonly active: boolean
  readonly events: readonly string[]
}

export function typedIn({ form }: MemberRequest): TypedEndpoint {
  const typed = (name: string) => form.get(name) ?? ''
  return {
    url: typed('url'),
    description: typed('description'),
    secret: typed('secret'),
    active: isChecked(form, 'active'),
    events: form.all('events'),
  }
}

type Props = {
  readonly request: MemberRequest
  readonly title: string
  /** The endpoint that is changed; null while there is none. */
  readonly id: string | null
  readonly typed: TypedEndpoint
  readonly trouble?: Trouble
  readonly status?: number
}

export function endpointForm({
  request,
  title,
  id,
  typed,
  trouble = NO_TROUBLE,
  status = 200,
}: Props): Response {
  const { locale } = request.page
  const texts = textsOf(locale, webhooksTexts)
  const field = fieldsFor({ locale, trouble }, typed)
  const back = id === null ? '/console/developers/webhooks' : (`/console/developers/webhooks/${id}` as const)
  const error = trouble.fields?.events
  return shell({
    request,
    title,
    back: { to: back, text: textsOf(locale, shellTexts).back },
    status,
    children: (
      <Form
        request={request}
        action={id === null ? `${back}/new` : `${back}/edit`}
        trouble={trouble}
        class="panel steps"
        once={id === null}
      >
        {field.text('url', texts.url, {
          type: 'url',
          hint: id === null ? texts.urlHint : texts.changedUrlHint,
          autocomplete: 'off',
        })}
        <fieldset class="field part" id="events" aria-describedby={error ? 'events-error' : undefined}>
          <legend>{texts.events}</legend>
          {error && (
            <p class="error" id="events-error">
              {error}
            </p>
          )}
          {['*', ...EVENT_KINDS].map((kind) => (
            <div class="check" key={kind}>
              <input
                type="checkbox"
                id={`events-${kind}`}
                name="events"
                value={kind}
                checked={typed.events.includes(kind)}
              />
              <label for={`events-${kind}`}>{kind === '*' ? texts.everything : <code>{kind}</code>}</label>
            </div>
          ))}
        </fieldset>
        {field.text('description', texts.description, { hint: texts.descriptionHint, isOptional: true })}
        {id === null
          ? field.text('secret', texts.secret, {
              hint: texts.secretHint,
              isSecret: true,
              isOptional: true,
            })
          : field.check('active', texts.active, { hint: texts.activeHint })}
        <FormEnd request={request} {...(id === null && { text: texts.create })} />
      </Form>
    ),
  })
}
