import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { webhooksTexts } from '../../platform/i18n/console/webhooks.ts'
import type { MemberRequest } from '../request.ts'
import { CopyLine } from '../views/copy-line.tsx'
import { shell } from '../views/shell.tsx'

type Props = {
  readonly request: MemberRequest
  readonly title: string
  readonly id: string
  readonly secret: string
  readonly lead?: string
}

/** A signing secret, on this page alone. */
export function secretPage({ request, title, id, secret, lead }: Props): Response {
  const { locale } = request.page
  const texts = textsOf(locale, webhooksTexts)
  return shell({
    request,
    title,
    ...(lead !== undefined && { lead }),
    done: texts.shownOnce,
    children: (
      <section class="panel" aria-label={texts.secret}>
        <CopyLine locale={locale} text={secret} />
        <div class="form-end">
          <a class="button" href={`/console/developers/webhooks/${id}`}>
            {texts.toEndpoint}
          </a>
        </div>
      </section>
    ),
  })
}
