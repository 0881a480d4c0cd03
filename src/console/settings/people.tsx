import type { KeptWhat } from '../../operations/erasure/kept.ts'
import { peopleRoutes } from '../../operations/erasure/routes.ts'
import type { Erased, PersonData } from '../../operations/erasure/schema.ts'
import { plain, seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { dataTexts } from '../../platform/i18n/console/data.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import { askForProof } from '../proven.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, toldTrouble } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { settingsShell } from './settings-shell.tsx'

const HERE = '/console/settings/people'

export async function showPeople(visit: MemberRequest): Promise<Response> {
  if (!isRolePermitted(visit.member.role, 'own')) return forbiddenPage(visit)
  return peoplePage(visit, { trouble: NO_TROUBLE, status: 200 })
}

type Shown = {
  readonly person?: PersonData
  readonly trouble: Trouble
  readonly eraseTrouble?: Trouble
  readonly status: number
}

function peoplePage(visit: MemberRequest, { person, trouble, eraseTrouble, status }: Shown): Response {
  const { page, form, isTest } = visit
  const { locale } = page
  const texts = textsOf(locale, dataTexts)
  const { live, test } = textsOf(locale, shellTexts)
  return settingsShell({
    visit,
    here: HERE,
    status,
    done: erasedText(visit),
    children: (
      <div class="part steps">
        <p class="soft">
          {texts.lead} {fill(texts.mode, { mode: isTest ? test : live })}
        </p>
        <Form visit={visit} action={`${HERE}/find`} trouble={trouble} class="panel">
          <TextField
            {...{ locale, trouble }}
            name="email"
            label={texts.email}
            value={form.get('email') ?? ''}
            inputmode="email"
          />
          <FormEnd visit={visit} text={texts.find} />
        </Form>
        {person && <Person visit={visit} person={person} trouble={eraseTrouble ?? NO_TROUBLE} />}
      </div>
    ),
  })
}

type PersonProps = { readonly visit: MemberRequest; readonly person: PersonData; readonly trouble: Trouble }

/** How much there is of somebody, to be taken along or erased. */
function Person({ visit, person, trouble }: PersonProps) {
  const { locale } = visit.page
  const texts = textsOf(locale, dataTexts)
  const { email } = person
  const counts = [
    [texts.bookings, person.bookings],
    [texts.guests, person.guest_in],
    [texts.waiting, person.waitlist_entries],
    [texts.letters, person.letters],
    [texts.supportRequests, person.support_requests],
    [texts.timeOff, person.time_off],
  ] as const
  return (
    <>
      <section class="panel">
        <h2>{fill(texts.keptOf, { email })}</h2>
        <dl class="pairs">
          {counts.map(([name, all]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{all.length}</dd>
            </div>
          ))}
        </dl>
        <h3>{texts.stays}</h3>
        <ul>
          {person.kept.map(({ what }) => (
            <li key={what}>{texts[`stays_${what as KeptWhat}`]}</li>
          ))}
        </ul>
        {/* What is downloaded leaves the page as it is: it can be asked for again. */}
        <form method="post" action={`${HERE}/download`}>
          <input type="hidden" name="csrf" value={visit.csrf} />
          <input type="hidden" name="email" value={email} />
          <FormEnd visit={visit} text={texts.download} tone="soft-button" />
        </form>
      </section>
      <details class="panel folded" open={trouble !== NO_TROUBLE}>
        <summary>{texts.erase}</summary>
        <Form visit={visit} action={`${HERE}/erase`} hidden={{ email }} trouble={trouble}>
          <p class="soft">{texts.eraseText}</p>
          <TextField
            {...{ locale, trouble }}
            name="again"
            label={texts.typeAgain}
            value=""
            inputmode="email"
          />
          <FormEnd visit={visit} text={texts.eraseNow} tone="danger" />
        </Form>
      </details>
    </>
  )
}

function exportPerson(visit: MemberRequest, email: string) {
  return ask<PersonData>(visit, peopleRoutes, 'exportPerson', { params: { email }, isTyped: true })
}

export async function findPerson(visit: MemberRequest): Promise<Response> {
  return foundPage(visit)
}

/** What is kept of the address that was typed, or that there is nothing. */
async function foundPage(visit: MemberRequest, eraseTrouble?: Trouble): Promise<Response> {
  const asked = await exportPerson(visit, visit.form.get('email') ?? '')
  if (asked.ok) {
    const status = eraseTrouble ? 422 : 200
    return peoplePage(visit, {
      person: asked.body,
      trouble: NO_TROUBLE,
      ...(eraseTrouble && { eraseTrouble }),
      status,
    })
  }
  return refusedPage(visit, asked.refusal)
}

function refusedPage(visit: MemberRequest, refusal: Refusal): Response {
  if (refusal.code === 'forbidden') return forbiddenPage(visit)
  const { locale } = visit.page
  const { nothing } = textsOf(locale, dataTexts)
  const codes = { not_found: { fields: { email: nothing } } }
  return peoplePage(visit, {
    trouble: toldTrouble(locale, refusal, { codes }),
    status: formStatus(refusal),
  })
}

export async function downloadPerson(visit: MemberRequest): Promise<Response> {
  const asked = await exportPerson(visit, visit.form.get('email') ?? '')
  if (!asked.ok) return foundPage(visit)
  const headers = { 'Content-Disposition': 'attachment; filename="person.json"' }
  const text = `${JSON.stringify(asked.body, null, 2)}\n`
  return plain(visit.page, 'application/json', text, { isPrivate: true, headers })
}

/** For good, once the address was typed twice and whoever does it has proven who they are. */
export async function erasePersonFromConsole(visit: MemberRequest): Promise<Response> {
  const { page, form, member } = visit
  if (!isRolePermitted(member.role, 'own')) return forbiddenPage(visit)
  const email = form.get('email') ?? ''
  if ((form.get('again') ?? '').toLowerCase() !== email.toLowerCase()) {
    const { notTheSame } = textsOf(page.locale, dataTexts)
    return foundPage(visit, { fields: { again: notTheSame } })
  }
  const proof = await askForProof(visit, HERE)
  if (proof) return proof
  const asked = await ask<Erased>(visit, peopleRoutes, 'erasePerson', { params: { email }, isTyped: true })
  if (!asked.ok) return refusedPage(visit, asked.refusal)
  const { bookings, guests, waitlist_entries: waiting, ...others } = asked.body.erased
  const rest = Object.values(others).reduce((sum, count) => sum + count, 0)
  const counts = new URLSearchParams({
    bookings: String(bookings + guests),
    waiting: String(waiting),
    rest: String(rest),
  })
  return seeOther(page, `${HERE}?done=1&${counts}`)
}

function erasedText({ page }: MemberRequest): string {
  const count = (name: string) => Number(page.url.searchParams.get(name)) || 0
  return fill(textsOf(page.locale, dataTexts).erased, {
    bookings: count('bookings'),
    waiting: count('waiting'),
    rest: count('rest'),
  })
}
