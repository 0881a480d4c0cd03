import type { HostChoice, NamedHost } from '../host-choice.ts'
import { linkTo } from '../links.ts'
import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly choice: HostChoice | null }

/** The host, if there is a choice. */
export function HostLinks({ page, choice }: Props) {
  if (choice === null || choice.hosts.length < 2) return null
  const { texts } = page.locale
  const { hosts, chosen, isAnyoneFine } = choice
  const options = [...(isAnyoneFine ? [null] : []), ...hosts]
  return (
    <div class="host-choice">
      <h2 id="hosts">{texts.chooseHost}</h2>
      <nav class="choices" aria-labelledby="hosts">
        {options.map((host) => (
          <a
            key={host?.id ?? ''}
            data-swap
            data-key={`host-${host?.id ?? 'any'}`}
            rel="nofollow"
            href={linkTo(page.url, { member: host?.id ?? null, time: null })}
            aria-current={host === chosen ? 'true' : undefined}
          >
            <HostLabel page={page} host={host} />
          </a>
        ))}
      </nav>
    </div>
  )
}

/** The same in a form that was refused because of its host. */
export function HostFields({ page, choice }: Props) {
  if (choice === null) return null
  const { hosts, chosen, isAnyoneFine } = choice
  return (
    <fieldset class="alternatives">
      <legend>{page.locale.texts.chooseHost}</legend>
      {[...(isAnyoneFine ? [null] : []), ...hosts].map((host, at) => (
        <label key={host?.id ?? ''}>
          <input
            type="radio"
            name="member"
            value={host?.id ?? ''}
            defaultChecked={chosen ? host === chosen : at === 0}
          />
          <HostLabel page={page} host={host} />
        </label>
      ))}
    </fieldset>
  )
}

/** A picture and a name; without a host, anyone. */
function HostLabel({ page, host }: { readonly page: Page; readonly host: NamedHost | null }) {
  if (host === null) return <span>{page.locale.texts.anyHost}</span>
  return (
    <span class="host">
      {host.avatarUrl !== null && <img src={host.avatarUrl} alt="" width={24} height={24} />}
      <bdi>{host.name}</bdi>
    </span>
  )
}
