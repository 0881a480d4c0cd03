type Props = { readonly title: string; readonly value: unknown }

/** Something for machines, folded away until somebody wants to read it. */
export function Folded({ title, value }: Props) {
  return (
    <details class="folded">
      <summary>{title}</summary>
      <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </details>
  )
}
