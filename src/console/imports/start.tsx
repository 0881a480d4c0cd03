import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { importRoutes } from '../../operations/imports/routes.ts'
import { seeOther } from '../../pages/respond.ts'
import type { ImportSource } from '../../platform/db/schema/import-jobs.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { importTexts } from '../../platform/i18n/console/imports.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { settingsShell } from '../settings/settings-shell.tsx'
import { type Trouble, troubleOf } from '../trouble.ts'
import { HERE, ImportForm, SERVICES } from './import-form.tsx'
import { LeftOut, Some } from './left-out.tsx'
import { importsPage } from './show-imports.tsx'

/** Starts an import, or says what it would create. */
export async function startFromConsole(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const source: ImportSource = form.get('source') === 'calcom' ? 'calcom' : 'calendly'
  const isLook = form.get('act') === 'look'
  const secret = (form.get('secret') ?? '').trim()
  const asking = isLook ? dry(request) : request
  const asked =
    source === 'calcom'
      ? await ask(asking, importRoutes.importCalcom, { body: { api_key: secret } })
      : await ask(asking, importRoutes.importCalendly, { body: { token: secret } })
  if (asked.ok && isLook) return previewPage(request, asked.body)
  if (asked.ok) return seeOther(page, `${HERE}/${asked.body.id}`)
  if (asked.refusal.code === 'forbidden') return forbiddenPage(request)
  const trouble = troubleIn(request, source, asked.refusal)
  return importsPage(request, { source, trouble, status: formStatus(asked.refusal) })
}

/** The endpoint calls the secret what it is called in its body. */
function troubleIn({ page: { locale } }: MemberRequest, source: ImportSource, refusal: Refusal): Trouble {
  if (refusal.reason !== 'secret_refused') {
    return troubleOf(locale, refusal, { fields: { token: 'secret', api_key: 'secret' } })
  }
  const secret = fill(textsOf(locale, importTexts).refused, { service: SERVICES[source] })
  return { title: textsOf(locale, shellTexts).checkThese, fields: { secret } }
}

function dry(request: MemberRequest): MemberRequest {
  const { page } = request
  return { ...request, page: { ...page, ctx: { ...page.ctx, isDry: true } } }
}

const KINDS = ['schedule', 'event_type', 'booking'] as const

function previewPage(request: MemberRequest, { source, would_make: all = [], left_out }: ImportJob) {
  const texts = textsOf(request.page.locale, importTexts)
  return settingsShell({
    request,
    here: HERE,
    children: (
      <div class="part steps">
        <h2>{fill(texts.preview, { service: SERVICES[source] })}</h2>
        <p class="soft">{texts.previewLead}</p>
        <ImportForm request={request} source={source} />
        <section class="panel" aria-labelledby="would">
          <h2 id="would">
            {texts.would} ({all.length})
          </h2>
          {all.length === 0 && <p>{texts.wouldNothing}</p>}
          {KINDS.map((kind) => {
            const those = all.filter(({ type }) => type === kind)
            return (
              those.length > 0 && (
                <details key={kind} class="folded" open={kind !== 'booking'}>
                  <summary>
                    {texts[kind]} ({those.length})
                  </summary>
                  <Some request={request} names={those.map(({ what }) => what)} />
                </details>
              )
            )
          })}
        </section>
        <LeftOut request={request} items={left_out} />
      </div>
    ),
  })
}
