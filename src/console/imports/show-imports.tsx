import type { ImportJob } from '../../booking/bookings/imported/schema.ts'
import { findLatestImports } from '../../operations/imports/find-latest.ts'
import { importRoutes } from '../../operations/imports/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { ImportSource } from '../../platform/db/schema/import-jobs.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { importTexts } from '../../platform/i18n/console/imports.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need, sharedEnv } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { settingsShell } from '../settings/settings-shell.tsx'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { HERE, ImportForm, SERVICES } from './import-form.tsx'

/** Where an import is started, and the latest ones. */
export function showImports(request: MemberRequest): Promise<Response> {
  return importsPage(request, { source: 'calendly', trouble: NO_TROUBLE, status: 200 })
}

type Shown = { readonly source: ImportSource; readonly trouble: Trouble; readonly status: number }

export async function importsPage(request: MemberRequest, { source, trouble, status }: Shown) {
  const texts = textsOf(request.page.locale, importTexts)
  const why = whyNot(request)
  if (why !== null) return settingsShell({ request, here: HERE, children: <p class="part">{why}</p> })
  const found = await findLatestImports(sharedEnv(request), request.organizationId)
  const jobs = await Promise.all(
    found.map(({ id }) => need(request, importRoutes.getImport, { params: { id } })),
  )
  return settingsShell({
    request,
    here: HERE,
    status,
    children: (
      <div class="part steps">
        <p class="soft">{texts.lead}</p>
        <ImportForm request={request} source={source} trouble={trouble} />
        <p class="soft">{texts.what}</p>
        {jobs.length > 0 && (
          <section class="panel" aria-labelledby="latest">
            <h2 id="latest">{texts.latest}</h2>
            <ul class="rows">
              {jobs.map((job) => (
                <Row key={job.id} request={request} job={job} />
              ))}
            </ul>
          </section>
        )}
      </div>
    ),
  })
}

/** Why this member cannot import now, or null. */
function whyNot({ page, member, isTest }: MemberRequest): string | null {
  const { ownerOnly, liveOnly } = textsOf(page.locale, importTexts)
  if (!isRolePermitted(member.role, 'own')) return ownerOnly
  return isTest ? liveOnly : null
}

function Row({ request, job }: { readonly request: MemberRequest; readonly job: ImportJob }) {
  const { page, zone } = request
  const texts = textsOf(page.locale, importTexts)
  return (
    <li>
      <a class="row-link" href={`${HERE}/${job.id}`}>
        {fill(texts.from, { service: SERVICES[job.source] })}
      </a>
      <span class="soft">
        {texts[job.status]}, {ownShortMomentText(page.locale, Date.parse(job.created_at), zone)}
      </span>
    </li>
  )
}
