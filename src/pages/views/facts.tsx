import type { ComponentChildren } from 'preact'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'

export type Fact = { readonly icon: IconName; readonly label: string; readonly text: ComponentChildren }

/** What there is to know at a glance: each with a sign for the eye and a word for the ear. */
export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== null)
        .map(({ icon, label, text }) => (
          <div key={label}>
            <dt>
              <Icon name={icon} />
              <span class="unseen">{label}</span>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  )
}
