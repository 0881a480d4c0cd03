import { deviceOf } from '../../pages/device.ts'
import { plain, seeOther } from '../../pages/respond.ts'
import { addPasskey, passkeysOf, userHandleOf } from '../../people/sign-in/passkeys/passkeys.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { passkeyTexts } from '../../platform/i18n/console/passkeys.ts'
import { askForProof, isProven } from '../proven.ts'
import type { MemberRequest } from '../request.ts'
import { settingsShell } from '../settings/settings-shell.tsx'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { challengeOf, creationAnswer } from './ask-browser.ts'
import { changingAs } from './changing.ts'
import { PasskeyButton } from './passkey-button.tsx'

const MOST_EMAILS = 60

function occasionOf({ session }: MemberRequest) {
  return { purpose: 'passkey-new', sessionId: session.id } as const
}

/** A permanent way in is added only after a proof. */
export async function showNewPasskey(request: MemberRequest): Promise<Response> {
  const proof = await askForProof(request, '/console/settings/passkeys/new')
  return proof ?? newPage(request, deviceOf(request.page.ctx.request), NO_TROUBLE, 200)
}

function newPage(request: MemberRequest, name: string, trouble: Trouble, status: number): Response {
  const { page } = request
  const texts = textsOf(page.locale, passkeyTexts)
  return settingsShell({
    request,
    here: '/console/settings/passkeys',
    status,
    children: (
      <Form request={request} action="/console/settings/passkeys/new" trouble={trouble} class="panel">
        <h2>{texts.add}</h2>
        <p class="soft">{texts.addLead}</p>
        <TextField
          locale={page.locale}
          trouble={trouble}
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          value={name}
        />
        <div class="form-end">
          <PasskeyButton
            page={page}
            does="create"
            from="/console/settings/passkeys/options"
            text={texts.add}
            class="button"
          />
        </div>
        <p class="soft" data-no-passkey>
          {texts.needsScript}
        </p>
      </Form>
    ),
  })
}

export async function offerNewPasskey(request: MemberRequest): Promise<Response> {
  const { page, session, member } = request
  const { env } = page.ctx
  if (!isProven(request)) return plain(page, 'application/json', '{}', { status: 403, isPrivate: true })
  const handle = await userHandleOf(env, session)
  const name = session.email || member.userEmail || member.memberName || member.userId
  return creationAnswer(page, occasionOf(request), { handle, name }, await passkeysOf(env, session))
}

export async function addOwnPasskey(request: MemberRequest): Promise<Response> {
  const { page, form } = request
  const { env } = page.ctx
  const proof = await askForProof(request, '/console/settings/passkeys')
  if (proof) return proof
  const texts = textsOf(page.locale, passkeyTexts)
  const name = form.get('name') ?? ''
  if (name === '' || [...name].length > MOST_EMAILS) {
    return newPage(request, name, { fields: { name: texts.needName } }, 422)
  }
  const challenge = await challengeOf(page, occasionOf(request))
  const made = { answer: form.get('passkey') ?? '', challenge: challenge ?? '', name }
  const isAdded = challenge !== null && (await addPasskey(env, changingAs(request), made))
  if (!isAdded) return newPage(request, name, { title: texts.notAdded }, 422)
  return seeOther(page, '/console/settings/passkeys?done=1')
}
