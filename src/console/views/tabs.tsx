type Props = {
  /** The name of the tab list, for screen readers. */
  readonly label: string
  readonly parts: readonly (readonly [to: string, text: string])[]
  readonly here: string
}

/** The parts of a screen, each with an address of its own. */
export function Tabs({ label, parts, here }: Props) {
  return (
    <nav class="tabs" aria-label={label}>
      {parts.map(([to, text]) => (
        <a key={to} href={to} aria-current={to === here ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}
