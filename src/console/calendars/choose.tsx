import type { Env } from '../../env.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { loadMembers, nameOf } from '../hours/people.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { SelectField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { GetForm } from '../views/get-form.tsx'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { InviteForm } from './invite.tsx'
import { SENT_TO } from './providers.ts'
import { isAdmin, mayChange } from './whose.ts'

const SUITES = ['google', 'microsoft'] as const
const FORMS = ['icloud', 'fastmail', 'yahoo', 'nextcloud', 'caldav', 'feed'] as const

/** For whom a calendar is connected: who works here, unless the address says otherwise. */
export function memberIn({ page, form, member }: MemberRequest): string {
  return form.get('member') || page.url.searchParams.get('member') || member.memberId
}

/** Where the calendar is that somebody wants to connect. */
export async function showChoice(request: MemberRequest): Promise<Response> {
  if (!mayChange(request, memberIn(request))) return forbiddenPage(request)
  const { page } = request
  const { env } = page.ctx
  const texts = textsOf(page.locale, calendarsTexts)
  const members = isAdmin(request) ? await loadMembers(request) : []
  const chosen = memberIn(request)
  const missing = SUITES.filter((name) => !SENT_TO[name].isOffered(env)).map((name) => texts[name])
  return shell({
    request,
    title: texts.connect,
    back: { to: '/console/calendars', text: texts.title },
    children: (
      <>
        {members.length > 1 && (
          <GetForm action="/console/calendars/connect" class="search short-search" sendsOnChange>
            <SelectField
              locale={page.locale}
              name="member"
              label={texts.whose}
              value={chosen}
              options={members.map((one) => ({ value: one.id, text: nameOf(one) }))}
            />
            <button type="submit" class="soft-button">
              {texts.choose}
            </button>
          </GetForm>
        )}
        {isAdmin(request) && chosen !== request.member.memberId && (
          <InviteForm request={request} memberId={chosen} />
        )}
        <ul class="rows">
          {SUITES.filter((name) => SENT_TO[name].isOffered(env)).map((name) => (
            <li key={name}>
              <div class="with-sign">
                <Sign name="calendar" />
                <div>
                  <strong>{texts[name]}</strong>
                  <p class="soft">{name === 'google' ? texts.googleText : texts.microsoftText}</p>
                </div>
              </div>
              <Form
                request={request}
                action={`/console/calendars/connect/${name}`}
                hidden={{ member: chosen }}
                class="inline row-end"
              >
                <button type="submit" class="soft-button">
                  {texts.connectNow}
                  <span class="unseen">: {texts[name]}</span>
                </button>
              </Form>
            </li>
          ))}
          {FORMS.map((name) => (
            <li key={name}>
              <div class="with-sign">
                <Sign name={name === 'feed' ? 'link' : 'calendar'} />
                <div>
                  <a
                    class="row-link"
                    href={`/console/calendars/connect/${name}?member=${encodeURIComponent(chosen)}`}
                  >
                    {name === 'feed' ? texts.feedIn : texts[name]}
                  </a>
                  <p class="soft">{texts[`${name === 'feed' ? 'feedIn' : name}Text`]}</p>
                </div>
              </div>
              <Sign name="next" />
            </li>
          ))}
        </ul>
        {missing.length > 0 && (
          <p class="soft">
            {fill(texts.notOffered, {
              providers: new Intl.ListFormat(page.locale.tag, { type: 'disjunction' }).format(missing),
            })}
          </p>
        )}
        {isAdmin(request) && isMicrosoftOffered(env) && (
          <p class="soft">
            {texts.administratorText}{' '}
            <a href="/console/calendars/connect/administrator">{texts.administrator}</a>
          </p>
        )}
      </>
    ),
  })
}

function isMicrosoftOffered(env: Env): boolean {
  return SENT_TO.microsoft.isOffered(env)
}
