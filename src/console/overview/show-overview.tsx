import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { overviewTexts } from '../../platform/i18n/console/overview.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { doneIn } from '../bookings/done.ts'
import type { MemberRequest } from '../request.ts'
import { shell } from '../views/shell.tsx'
import { Attention } from './attention.tsx'
import { Figures } from './figures.tsx'
import { DAYS, loadOverview } from './load.ts'
import { Plots } from './plots.tsx'
import { Today } from './today.tsx'

/** What the console opens on once people can book: how it goes, today, and what needs somebody. */
export async function showOverview(request: MemberRequest): Promise<Response> {
  const { page } = request
  const texts = textsOf(page.locale, overviewTexts)
  const overview = await loadOverview(request)
  return shell({
    request,
    title: texts.title,
    lead: fill(texts.lead, { days: DAYS }),
    done: doneIn(request),
    children: (
      <>
        <Figures request={request} overview={overview} />
        <Attention request={request} overview={overview} />
        <Today request={request} agenda={overview.agenda} />
        <Plots request={request} comparison={overview.comparison} eventTypes={overview.byEventType} />
      </>
    ),
  })
}
