import { addressTexts } from '../../platform/i18n/console/address.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { signInTexts } from '../../platform/i18n/console/sign-in.ts'
import type { MemberRequest } from '../request.ts'

/** The address that a member signs in with, and the way to change it; without an address, what it is for. */
export function OwnAddress({ request }: { readonly request: MemberRequest }) {
  const { page, member, session } = request
  const texts = textsOf(page.locale, addressTexts)
  const { email } = textsOf(page.locale, signInTexts)
  const { userEmail } = member
  // A session that a link began may add an address, and change none.
  const mayChange = userEmail === '' || session.memberId === null
  return (
    <section class="panel" aria-label={email}>
      <div class="head-line">
        <div>
          {userEmail === '' ? (
            <p>{texts.why}</p>
          ) : (
            <>
              <p class="soft">{email}</p>
              <p>
                <strong>
                  <bdi>{userEmail}</bdi>
                </strong>
              </p>
              {!mayChange && <p class="hint">{texts.byLink}</p>}
            </>
          )}
        </div>
        {mayChange && (
          <a class="button soft-button" href="/console/settings/address">
            {userEmail === '' ? texts.title : texts.change}
          </a>
        )}
      </div>
    </section>
  )
}
