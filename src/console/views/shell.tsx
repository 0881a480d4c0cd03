import type { ComponentChildren } from 'preact'
import { html } from '../../pages/respond.ts'
import { MOST_REQUESTS } from '../../people/sign-in/most-requests.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { deletionTexts } from '../../platform/i18n/console/deletion.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { ownMomentText, pluralText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { NAVIGATION } from '../navigation.ts'
import type { MemberRequest } from '../request.ts'
import { type Assets, ConsoleDocument } from './console-document.tsx'
import { Form } from './form.tsx'
import { Sign } from './icons.tsx'

type Props = {
  readonly request: MemberRequest
  readonly title: string
  /** Below the title, in a few words. */
  readonly lead?: ComponentChildren
  /** Beside the title: what is most often done here. */
  readonly actions?: ComponentChildren
  /** One step up. */
  readonly back?: { readonly to: `/console${string}`; readonly text: string }
  /** What was just done, shown once. */
  readonly done?: string | undefined
  readonly status?: number
  /** Whether pages of its own stand inside it. */
  readonly framesOwn?: boolean
  /** A stylesheet and a script of its own, with rules that only this page has. */
  readonly assets?: Assets
  /** Whether something on it is under way, so that a browser without scripts loads it again. */
  readonly refreshes?: boolean | undefined
  readonly children: ComponentChildren
}

/** A screen: the navigation, and what it is about. */
export function shell(props: Props): Response {
  const {
    request,
    title,
    lead,
    actions,
    back,
    done,
    status = 200,
    framesOwn = false,
    assets,
    refreshes,
    children,
  } = props
  const { page, member, isTest } = request
  const texts = textsOf(page.locale, shellTexts)
  const document = (
    <ConsoleDocument page={page} title={`${title} · ${member.name}`} kind="shell" {...{ assets, refreshes }}>
      <Navigation request={request} />
      <main id="main" tabIndex={-1}>
        {isTest && <p class="band test-band">{texts.testNote}</p>}
        {member.deletesAt !== null && <Deletion request={request} deletesAt={member.deletesAt} />}
        {member.suspendedAt !== null && member.deletesAt === null && (
          <p class="band bad-band">{texts.suspendedNote}</p>
        )}
        <header class="head">
          {back && (
            <a class="up" href={back.to}>
              <Sign name="previous" />
              {back.text}
            </a>
          )}
          <div class="head-line">
            <h1>{title}</h1>
            {actions && <div class="actions">{actions}</div>}
          </div>
          {lead && <p class="soft">{lead}</p>}
        </header>
        {done && (
          <p class="done" role="status">
            <Sign name="check" />
            {done}
          </p>
        )}
        {children}
      </main>
    </ConsoleDocument>
  )
  return html(page, document, { status, isPrivate: true, framesOwn })
}

type DeletionProps = { readonly request: MemberRequest; readonly deletesAt: number }

function Deletion({ request: { page, member, zone }, deletesAt }: DeletionProps) {
  const texts = textsOf(page.locale, deletionTexts)
  return (
    <p class="band bad-band">
      {fill(texts.band, { time: ownMomentText(page.locale, deletesAt, zone) })}{' '}
      {isRolePermitted(member.role, 'own') && <a href="/console/settings/delete">{texts.bandLink}</a>}
    </p>
  )
}

function Navigation({ request }: { readonly request: MemberRequest }) {
  const { page, member, isTest } = request
  const texts = textsOf(page.locale, shellTexts)
  const { pathname } = page.url
  const entries = NAVIGATION.filter(({ needs }) => isRolePermitted(member.role, needs))
  const isHere = (to: string) => pathname === to || pathname.startsWith(`${to}/`)
  return (
    <>
      <header class="bar">
        <a class="round" href="#navigation" aria-label={texts.menu}>
          <Sign name="menu" />
        </a>
        <bdi>{member.name}</bdi>
      </header>
      <nav
        id="navigation"
        class="side"
        aria-label={texts.navigation}
        data-of={`${member.memberId} ${isTest}`}
      >
        <a class="round close" href="#main" aria-label={texts.closeMenu}>
          <Sign name="cross" />
        </a>
        <Organizations request={request} />
        <ul class="places">
          {entries.map(({ to, name, icon }) => (
            <li key={to}>
              <a href={to} aria-current={isHere(to) ? 'page' : undefined}>
                <Sign name={icon} />
                {texts[name]}
                {to === '/console/bookings' && <RequestCount request={request} />}
              </a>
            </li>
          ))}
        </ul>
        <div class="foot">
          <a class="plain" href={`/book/${member.slug}`} target="_blank" rel="noopener">
            <Sign name="open" />
            {texts.openPage}
            <span class="unseen"> ({page.locale.texts.opensNewTab})</span>
          </a>
          <Modes request={request} />
          <div class="self">
            <span class="who">
              <bdi>{member.memberName ?? (member.userEmail || member.userId)}</bdi>
              <span class="soft">{roleText(request)}</span>
            </span>
            <Form request={request} action="/console/sign-out" class="inline">
              <button type="submit" class="round ghost" aria-label={texts.signOut} title={texts.signOut}>
                <Sign name="out" />
              </button>
            </Form>
          </div>
        </div>
      </nav>
    </>
  )
}

/** How many requests wait to be decided. */
function RequestCount({ request: { page, member, isTest } }: { readonly request: MemberRequest }) {
  const n = isTest ? member.testRequests : member.liveRequests
  if (n === 0) return null
  const { requestsWaiting } = textsOf(page.locale, shellTexts)
  return (
    <span class="count">
      <span aria-hidden="true">{n < MOST_REQUESTS ? n : `${MOST_REQUESTS - 1}+`}</span>
      <span class="unseen">{fill(pluralText(page.locale, requestsWaiting, n), { n })}</span>
    </span>
  )
}

export function roleText({ page, member }: Pick<MemberRequest, 'page' | 'member'>): string {
  const texts = textsOf(page.locale, shellTexts)
  return {
    owner: texts.roleOwner,
    admin: texts.roleAdmin,
    member: texts.roleMember,
    viewer: texts.roleViewer,
  }[member.role]
}

function Organizations({ request }: { readonly request: MemberRequest }) {
  const { page, member, memberships } = request
  const texts = textsOf(page.locale, shellTexts)
  const own = (
    <>
      <span class="tile" aria-hidden="true">
        {[...member.name][0]?.toUpperCase()}
      </span>
      <bdi>{member.name}</bdi>
    </>
  )
  if (memberships.length === 1) return <p class="org">{own}</p>
  return (
    <details class="org-choice">
      <summary class="org" aria-label={`${texts.organizations}: ${member.name}`}>
        {own}
      </summary>
      <ul>
        {memberships
          .filter(({ id }) => id !== member.id)
          .map(({ id, name }) => (
            <li key={id}>
              <Form
                request={request}
                action="/console/organizations"
                hidden={{ organization_id: id }}
                class="inline"
              >
                <button type="submit" class="ghost">
                  {fill(texts.switchTo, { org: name })}
                </button>
              </Form>
            </li>
          ))}
      </ul>
    </details>
  )
}

function Modes({ request }: { readonly request: MemberRequest }) {
  const texts = textsOf(request.page.locale, shellTexts)
  return (
    <Form request={request} action="/console/mode" class="modes" label={texts.mode}>
      {(['live', 'test'] as const).map((mode) => {
        const isOn = (mode === 'test') === request.isTest
        return (
          <button key={mode} type="submit" name="mode" value={mode} aria-pressed={isOn}>
            {texts[mode]}
          </button>
        )
      })}
    </Form>
  )
}
