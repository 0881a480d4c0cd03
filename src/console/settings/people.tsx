import type { RetainedKind } from '../../operations/erasure/retained.ts'
import { peopleRoutes } from '../../operations/erasure/routes.ts'
import type { PersonData } from '../../operations/erasure/schema.ts'
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
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { settingsShell } from './settings-shell.tsx'

const HERE = '/console/settings/people'

export async function showPeople(request: MemberRequest): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'own')) return forbiddenPage(request)
  return peoplePage(request, { trouble: NO_TROUBLE, status: 200 })
}

type Shown = {
  readonly person?: PersonData
  readonly trouble: Trouble
  readonly eraseTrouble?: Trouble
  readonly status: number
}

function peoplePage(request: MemberRequest, { person, trouble, eraseTrouble, status }: Shown): Response {
  const { page, form, isTest } = request
  const { locale } = page
  const texts = textsOf(locale, dataTexts)
  const { live, test } = textsOf(locale, shellTexts)
  return settingsShell({
    request,
    here: HERE,
    status,
    done: erasedText(request),
    children: (
      <div class="part steps">
        <p class="soft">
          {texts.lead} {fill(texts.mode, { mode: isTest ? test : live })}
        </p>
        <Form request={request} action={`${HERE}/find`} trouble={trouble} class="panel">
          <TextField
            {...{ locale, trouble }}
            name="email"
            label={texts.email}
            value={form.get('email') ?? ''}
            inputmode="email"
          />
          <FormEnd request={request} text={texts.find} />
        </Form>
        {person && <Person request={request} person={person} trouble={eraseTrouble ?? NO_TROUBLE} />}
      </div>
    ),
  })
}

type PersonProps = { readonly request: MemberRequest; readonly person: PersonData; readonly trouble: Trouble }

/** How much there is of somebody, to be taken along or erased. */
function Person({ request, person, trouble }: PersonProps) {
  const { locale } = request.page
  const texts = textsOf(locale, dataTexts)
  const email = person.email ?? person.phone ?? ''
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
            <li key={what}>{texts[`stays_${what as RetainedKind}`]}</li>
          ))}
        </ul>
        {/* What is downloaded leaves the page as it is: it can be asked for again. */}
        <form method="post" action={`${HERE}/download`}>
          <input type="hidden" name="csrf" value={request.csrf} />
          <input type="hidden" name="email" value={email} />
          <FormEnd request={request} text={texts.download} tone="soft-button" />
        </form>
      </section>
      <details class="panel folded" open={trouble !== NO_TROUBLE}>
        <summary>{texts.erase}</summary>
        <Form request={request} action={`${HERE}/erase`} hidden={{ email }} trouble={trouble}>
          <p class="soft">{texts.eraseText}</p>
          <TextField
            {...{ locale, trouble }}
            name="again"
            label={texts.typeAgain}
            value=""
            inputmode="email"
          />
          <FormEnd request={request} text={texts.eraseNow} tone="danger" />
        </Form>
      </details>
    </>
  )
}

function exportPerson(request: MemberRequest, email: string) {
  return ask(request, peopleRoutes.exportPerson, { params: { email }, isTyped: true })
}

export async function findPerson(request: MemberRequest): Promise<Response> {
  return foundPage(request)
}

/** What is kept of the address that was typed, or that there is nothing. */
async function foundPage(request: MemberRequest, eraseTrouble?: Trouble): Promise<Response> {
  const asked = await exportPerson(request, request.form.get('email') ?? '')
  if (asked.ok) {
    const status = eraseTrouble ? 422 : 200
    return peoplePage(request, {
      person: asked.body,
      trouble: NO_TROUBLE,
      ...(eraseTrouble && { eraseTrouble }),
      status,
    })
  }
  return refusedPage(request, asked.refusal)
}

function refusedPage(request: MemberRequest, refusal: Refusal): Response {
  if (refusal.code === 'forbidden') return forbiddenPage(request)
  const { locale } = request.page
  return peoplePage(request, {
    trouble: troubleOf(locale, refusal, { at: { missing: 'email' } }),
    status: formStatus(refusal),
  })
}

export async function downloadPerson(request: MemberRequest): Promise<Response> {
  const asked = await exportPerson(request, request.form.get('email') ?? '')
  if (!asked.ok) return foundPage(request)
  const headers = { 'Content-Disposition': 'attachment; filename="person.json"' }
  const text = `${JSON.stringify(asked.body, null, 2)}\n`
  return plain(request.page, 'application/json', text, { isPrivate: true, headers })
}

/** Permanent, so the address is typed twice and the member has to prove who they are. */
export async function erasePersonFromConsole(request: MemberRequest): Promise<Response> {
  const { page, form, member } = request
  if (!isRolePermitted(member.role, 'own')) return forbiddenPage(request)
  const email = form.get('email') ?? ''
  if ((form.get('again') ?? '').toLowerCase() !== email.toLowerCase()) {
    const { notTheSame } = textsOf(page.locale, dataTexts)
    return foundPage(request, { fields: { again: notTheSame } })
  }
  const proof = await askForProof(request, HERE)
  if (proof) return proof
  const asked = await ask(request, peopleRoutes.erasePerson, { params: { email }, isTyped: true })
  if (!asked.ok) return refusedPage(request, asked.refusal)
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
