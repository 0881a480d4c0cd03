import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { apiKeyRoutes } from '../../people/api-keys/routes.ts'
import type { ApiKey } from '../../people/api-keys/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { developersTexts } from '../../platform/i18n/console/developers.ts'
import { ownShortMomentText, subjectDateText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import { CurlLines } from './curl-lines.tsx'
import { developersShell } from './developers-shell.tsx'
import { afterIn, More } from './more.tsx'

/** The keys of the side that is looked at, newest first. */
export async function showKeys(request: MemberRequest): Promise<Response> {
  const { page, member } = request
  const texts = textsOf(page.locale, developersTexts)
  const [{ data, has_more }, eventTypeId] = await Promise.all([
    need(request, apiKeyRoutes.listApiKeys, { query: { limit: '100', ...afterIn(page.url) } }),
    firstEventType(request),
  ])
  const isAdmin = isRolePermitted(member.role, 'administer')
  const create = isAdmin && (
    <a class="button" href="/console/developers/keys/new">
      <Sign name="plus" />
      {texts.create}
    </a>
  )
  const [working, over] = [
    data.filter((key) => isWorking(request, key)),
    data.filter((key) => !isWorking(request, key)),
  ]
  return developersShell({
    request,
    here: '/console/developers',
    actions: create,
    done: page.url.searchParams.get('done') === 'revoked' ? texts.wasRevoked : undefined,
    children: (
      <>
        <p class="soft">{texts.keysLead}</p>
        {working.length > 0 ? (
          <KeyRows request={request} keys={working} mayRevoke={isAdmin} />
        ) : (
          <div class="empty">
            <Sign name="key" />
            <strong>{texts.noKeys}</strong>
            <p>{isAdmin ? texts.noKeysText : texts.noKeysViewer}</p>
            {create}
          </div>
        )}
        {over.length > 0 && (
          <details class="folded">
            <summary>
              {texts.revokedKeys} ({over.length})
            </summary>
            <KeyRows request={request} keys={over} mayRevoke={false} />
          </details>
        )}
        <More request={request} to="/console/developers" last={has_more ? data.at(-1)!.id : null} />
        {working.length > 0 && <CurlLines request={request} secret="$KEY" eventTypeId={eventTypeId} />}
      </>
    ),
  })
}

/** What can be booked, or null where nothing can. */
export async function firstEventType(request: MemberRequest): Promise<string | null> {
  const { data } = await need(request, eventTypeRoutes.listEventTypes, { query: { limit: '1' } })
  return data[0]?.id ?? null
}

/** A sandbox whose clock runs ahead ends a key as the real one does. */
function isWorking({ now }: MemberRequest, { revoked_at, expires_at }: ApiKey): boolean {
  const isOver = expires_at !== null && Date.parse(expires_at) <= Math.max(now, realNow())
  return revoked_at === null && !isOver
}

type RowsProps = {
  readonly request: MemberRequest
  readonly keys: readonly ApiKey[]
  readonly mayRevoke: boolean
}

function KeyRows({ request, keys, mayRevoke }: RowsProps) {
  const { locale } = request.page
  const texts = textsOf(locale, developersTexts)
  const moment = (at: string) => ownShortMomentText(locale, Date.parse(at), request.zone)
  const day = (at: string) => subjectDateText(locale, Date.parse(at), request.zone)
  return (
    <ul class="rows">
      {keys.map(
        ({
          id,
          name,
          description,
          key_prefix,
          last_used_at,
          created_by,
          created_at,
          expires_at,
          revoked_at,
        }) => (
          <li key={id}>
            <div>
              <strong>
                <bdi>{name}</bdi>
              </strong>{' '}
              <code>{key_prefix}…</code>
              {description && (
                <p class="soft">
                  <bdi>{description}</bdi>
                </p>
              )}
              <p class="soft">
                {last_used_at === null ? texts.unused : fill(texts.lastUsed, { time: moment(last_used_at) })}
                {' · '}
                {fill(created_by?.name ? texts.createdBy : texts.created, {
                  day: day(created_at),
                  name: created_by?.name ?? '',
                })}
                {expires_at !== null && ` · ${fill(texts.ends, { day: day(expires_at) })}`}
                {revoked_at !== null && ` · ${fill(texts.revoked, { time: moment(revoked_at) })}`}
              </p>
            </div>
            {mayRevoke && (
              <details class="confirm">
                <summary aria-label={`${texts.revoke}: ${name}`}>{texts.revoke}</summary>
                <Form request={request} action={`/console/developers/keys/${id}/revoke`}>
                  <p>{fill(texts.revokeText, { prefix: key_prefix })}</p>
                  <button type="submit" class="button danger">
                    {texts.revokeIt}
                  </button>
                </Form>
              </details>
            )}
          </li>
        ),
      )}
    </ul>
  )
}
