import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  readonly title: string
  readonly icon: IconName
  readonly tone: 'good' | 'plain'
  readonly children?: ComponentChildren
}

/** How something ended: one sign, one sentence, and what to do now. */
export function Notice({ title, icon, tone, children }: Props) {
  return (
    <div class={`notice ${tone}`}>
      <span class="sign">
        <Icon name={icon} />
      </span>
      <h1 tabIndex={-1} data-focus>
        {title}
      </h1>
      {children}
    </div>
  )
}
