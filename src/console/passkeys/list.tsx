import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { passkeysSeenBy, removePasskey } from '../../people/sign-in/passkeys/passkeys.ts'
import { notFound } from '../../platform/http/errors.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { passkeyTexts } from '../../platform/i18n/console/passkeys.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { askForProof } from '../proven.ts'
import type { MemberRequest } from '../request.ts'
import { settingsShell } from '../settings/settings-shell.tsx'
import { Form } from '../views/form.tsx'
import { takesPasskeys } from './ask-browser.ts'
import { changingAs } from './changing.ts'

/** The passkeys of the signed-in person. */
export async function showPasskeys(request: MemberRequest): Promise<Response> {
  const { page, session, zone } = request
  const texts = textsOf(page.locale, passkeyTexts)
  const known = await passkeysSeenBy(page.ctx.env, session)
  const moment = (at: number) => ownShortMomentText(page.locale, at, zone)
  return settingsShell({
    request,
    here: '/console/settings/passkeys',
    done: texts.done,
    children: (
      <>
        <p class="soft">{takesPasskeys(page) ? texts.lead : texts.notHere}</p>
        {known.length > 0 && (
          <ul class="rows">
            {known.map(({ id, name, usedAt, createdAt }) => (
              <li key={id}>
                <div>
                  <strong>
                    <bdi>{name}</bdi>
                  </strong>
                  <p class="soft">
                    {fill(texts.since, { time: moment(createdAt) })} ·{' '}
                    {usedAt === null ? texts.neverUsed : fill(texts.lastUsed, { time: moment(usedAt) })}
                  </p>
                </div>
                <div class="row-end">
                  <Form request={request} action={`/console/settings/passkeys/${id}/remove`} class="inline">
                    <button type="submit" class="soft-button" aria-label={fill(texts.removeOne, { name })}>
                      {texts.remove}
                    </button>
                  </Form>
                </div>
              </li>
            ))}
          </ul>
        )}
        {takesPasskeys(page) && (
          <p>
            <a class="button" href="/console/settings/passkeys/new">
              {texts.add}
            </a>
          </p>
        )}
      </>
    ),
  })
}

/** Without a passkey, people still sign in by email. */
export async function removeOwnPasskey(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page } = request
  const proof = await askForProof(request, '/console/settings/passkeys')
  if (proof) return proof
  if (!(await removePasskey(page.ctx.env, changingAs(request), id))) throw notFound('passkey')
  return seeOther(page, '/console/settings/passkeys?done=1')
}
