import type { ConferencingAccount } from '../../calendars/meetings/schema.ts'
import type { Member } from '../../people/team/schema.ts'
import { calendarsTexts } from '../../platform/i18n/console/calendars.ts'
import { consoleLanguage, textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { nameOf } from '../hours/people.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { SENT_TO, type SentTo } from './providers.ts'
import { mayChange, mayConnect, maySee } from './whose.ts'

type Props = {
  readonly request: MemberRequest
  readonly accounts: readonly ConferencingAccount[]
  readonly members: readonly Member[]
}

const NAMES = { video_a: 'zoom', calendar_a_meet: 'meet', calendar_b_meet: 'teams' } as const

/** Where the meetings of video bookings are made. What is neither connected nor offered here is left out. */
export function Meetings({ request, accounts, members }: Props) {
  const { page, member } = request
  const texts = textsOf(page.locale, calendarsTexts)
  const isOffered = (name: SentTo) => SENT_TO[name].isOffered(page.ctx.env)
  const shown = accounts.filter(
    (one) =>
      (one.member_id !== null || isOffered(NAMES[one.provider])) &&
      (one.member_id === null || maySee(request, one.member_id)),
  )
  const hasOwnZoom = accounts.some((one) => one.provider === 'video_a' && one.member_id === member.memberId)
  const lacksZoom =
    !hasOwnZoom && accounts.some((one) => one.provider === 'video_a' && one.member_id !== null)
  if (shown.length === 0 && !(lacksZoom && isOffered('zoom'))) return null
  return (
    <section class="part">
      <h2>{texts.meetings}</h2>
      <p class="soft">{texts.meetingsLead}</p>
      <ul class="rows">
        {lacksZoom && mayConnect(request) && isOffered('zoom') && (
          <Line request={request} account={NO_ZOOM} members={members} />
        )}
        {shown.map((one) => (
          <Line key={`${one.provider}${one.member_id}`} request={request} account={one} members={members} />
        ))}
      </ul>
    </section>
  )
}

const NO_ZOOM: ConferencingAccount = {
  provider: 'video_a',
  member_id: null,
  connected: false,
  account_email: null,
  status: null,
  error: null,
  connected_at: null,
}

type LineProps = Omit<Props, 'accounts'> & { readonly account: ConferencingAccount }

function Line({ request, account, members }: LineProps) {
  const { page } = request
  const texts = textsOf(page.locale, calendarsTexts)
  const name = NAMES[account.provider]
  const { status, member_id: memberId, account_email: email } = account
  const owner = members.find(({ id }) => id === memberId)
  const title = owner && name === 'zoom' ? fill(texts.zoomOf, { name: nameOf(owner) }) : texts[name]
  const hint = { zoom: texts.zoomText, meet: texts.meetText, teams: texts.teamsText }[name]
  const mayAct = status === null ? mayConnect(request) : mayChange(request, memberId)
  const hasEnded = status === 'revoked' || status === 'expired'
  return (
    <li class="wraps">
      <div class="with-sign">
        <Sign name="video" />
        <div>
          <strong>{title}</strong> <StateBadge request={request} account={account} />
          <p class="soft">{status === null ? hint : factsOf(request, account)}</p>
          {hasEnded && <p class="soft">{texts.meetingEnded}</p>}
          {status === 'error' && <p class="soft">{texts.meetingTroubled}</p>}
          {account.error && consoleLanguage(page.locale.language) === 'en' && (
            <p class="soft">{account.error}</p>
          )}
        </div>
      </div>
      {mayAct && (
        <div class="row-end">
          {(status === null || hasEnded) && SENT_TO[name].isOffered(page.ctx.env) && (
            <Form
              request={request}
              action={`/console/calendars/connect/${name}`}
              hidden={{ member: memberId ?? request.member.memberId }}
              class="inline"
            >
              <button type="submit" class="soft-button">
                {hasEnded ? texts.reconnect : texts.connectNow}
                <span class="unseen">: {title}</span>
              </button>
            </Form>
          )}
          {status !== null && name === 'zoom' && (
            <a
              class="button ghost-link"
              href={`/console/calendars/zoom/disconnect${memberId ? `?member=${memberId}` : ''}`}
            >
              {texts.disconnect}
              <span class="unseen">
                : {title} {email}
              </span>
            </a>
          )}
        </div>
      )}
    </li>
  )
}

function factsOf(
  { page, zone }: MemberRequest,
  { account_email: email, connected_at: at }: ConferencingAccount,
): string {
  const { connectedSince } = textsOf(page.locale, calendarsTexts)
  const since = at && fill(connectedSince, { time: ownShortMomentText(page.locale, Date.parse(at), zone) })
  return [email, since].filter(Boolean).join(' · ')
}

function StateBadge({ request, account: { status } }: Pick<LineProps, 'request' | 'account'>) {
  const texts = textsOf(request.page.locale, calendarsTexts)
  switch (status) {
    case null:
      return <span class="badge">{texts.notConnectedYet}</span>
    case 'active':
      return <span class="badge good">{texts.working}</span>
    case 'error':
      return <span class="badge warn">{texts.troubledMeeting}</span>
    default:
      return <span class="badge bad">{texts.reconnectNeeded}</span>
  }
}
