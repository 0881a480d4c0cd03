import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { importRoutes } from '../../operations/imports/routes.ts'
import type { Params } from '../../pages/page.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { importTexts } from '../../platform/i18n/console/imports.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { settingsShell } from '../settings/settings-shell.tsx'
import { HERE, ImportForm, SERVICES } from './import-form.tsx'
import { LeftOut } from './left-out.tsx'

/** An import: how far it is, what it left out, and what to do next. */
export async function showImport(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const job = await need(request, importRoutes.getImport, { params: { id } })
  const { made, source, status } = job
  const texts = textsOf(request.page.locale, importTexts)
  const isRunning = status === 'running'
  return settingsShell({
    request,
    here: HERE,
    refreshes: isRunning,
    children: (
      <div class="part steps">
        <p>
          <a href={HERE}>{texts.back}</a>
        </p>
        <section class="panel" aria-labelledby="import">
          <h2 id="import">{fill(texts.from, { service: SERVICES[source] })}</h2>
          <p id="progress" role="status" data-poll={isRunning ? status : undefined}>
            <strong>{texts[status]}.</strong> {fill(status === 'done' ? texts.made : texts.madeSoFar, made)}
          </p>
          <p class="soft">{texts[`${status}Text`]}</p>
        </section>
        {!isRunning && <Next request={request} job={job} />}
        {!isRunning && <LeftOut request={request} items={job.left_out} />}
      </div>
    ),
  })
}

type Props = { readonly request: MemberRequest; readonly job: ImportJob }

/** One that ended can be run again; an interrupted one continues. */
function Next({ request, job: { source, status } }: Props) {
  const texts = textsOf(request.page.locale, importTexts)
  const isAgain = status === 'done'
  const form = (
    <ImportForm request={request} source={source} start={status === 'interrupted' ? texts.goOn : undefined} />
  )
  if (!isAgain) return form
  return (
    <details class="panel folded">
      <summary>{texts.again}</summary>
      <p class="soft">{texts.againText}</p>
      {form}
    </details>
  )
}
