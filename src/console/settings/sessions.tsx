import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { accountsSeenBy } from '../../people/sign-in/openid/accounts.ts'
import { openIdOf } from '../../people/sign-in/openid/settings.ts'
import { endSession, sessionsOf } from '../../people/sign-in/sessions.ts'
import { notFound } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { openIdTexts } from '../../platform/i18n/console/openid.ts'
import { settingsTexts } from '../../platform/i18n/console/settings.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { sharedEnv } from '../ask.ts'
import { AccountPanel } from '../openid/account-panel.tsx'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { settingsShell } from './settings-shell.tsx'

export function showSessions(request: MemberRequest): Promise<Response> {
  return sessionsPage(request)
}

/** Where this person is signed in, and with which accounts they can. */
export async function sessionsPage(
  request: MemberRequest,
  trouble?: string,
  status = 200,
): Promise<Response> {
  const { page, session, memberships, zone } = request
  const { locale } = page
  const texts = textsOf(locale, settingsTexts)
  const openId = openIdOf(page.ctx.env)
  const env = sharedEnv(request)
  const [sessions, accounts] = await Promise.all([
    sessionsOf(env, session, realNow()),
    openId ? accountsSeenBy(env, { person: session, memberships }, openId) : [],
  ])
  const moment = (at: number) => ownShortMomentText(locale, at, zone)
  return settingsShell({
    request,
    here: '/console/settings/sessions',
    status,
    done: doneText(request),
    children: (
      <>
        <p class="soft">{texts.sessionsLead}</p>
        <ul class="rows">
          {sessions.map(({ id, device, usedAt, createdAt, memberId }) => (
            <li key={id}>
              <div>
                <strong>{device || texts.unknownDevice}</strong>
                <p class="soft">
                  {fill(texts.lastUsed, { time: moment(usedAt) })} ·{' '}
                  {fill(texts.since, { time: moment(createdAt) })}
                  {memberId !== null && ` · ${texts.byLink}`}
                </p>
              </div>
              <div class="row-end">
                {id === session.id ? (
                  <span class="badge good">{texts.thisOne}</span>
                ) : (
                  <Form request={request} action={`/console/settings/sessions/${id}/end`} class="inline">
                    <button type="submit" class="soft-button">
                      {texts.end}
                    </button>
                  </Form>
                )}
              </div>
            </li>
          ))}
        </ul>
        {sessions.length > 1 && (
          <Form request={request} action="/console/settings/sessions/others/end" class="inline">
            <button type="submit" class="button danger">
              {texts.endOthers}
            </button>
          </Form>
        )}
        {openId && <AccountPanel {...{ request, openId, accounts, trouble }} />}
      </>
    ),
  })
}

function doneText({ page: { locale, url } }: MemberRequest): string {
  const { isLinked, unlinked } = textsOf(locale, openIdTexts)
  const about = url.searchParams.get('about')
  if (about === 'linked') return isLinked
  return about === 'unlinked' ? unlinked : textsOf(locale, settingsTexts).ended
}

export async function endOwnSession(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, session, memberships } = request
  const own = await sessionsOf(page.ctx.env, session, realNow())
  if (!own.some((one) => one.id === id)) throw notFound('session')
  await endSession(page.ctx.env, session, id, memberships, page.ctx)
  return seeOther(page, '/console/settings/sessions?done=1')
}

export async function endOthers(request: MemberRequest): Promise<Response> {
  const { page, session, memberships } = request
  const others = (await sessionsOf(page.ctx.env, session, realNow())).filter(({ id }) => id !== session.id)
  for (const { id } of others) await endSession(page.ctx.env, session, id, memberships, page.ctx)
  return seeOther(page, '/console/settings/sessions?done=1')
}
