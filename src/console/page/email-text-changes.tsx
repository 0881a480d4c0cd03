import type { EmailText } from '../../delivery/email-texts/schema.ts'

type Name = 'subject' | 'intro' | 'closing'
const NAMES: readonly Name[] = ['subject', 'intro', 'closing']

type Props = {
  readonly texts: Readonly<Record<Name | 'changes', string>>
  readonly text: EmailText
}

/** What was written, beside what it replaces. */
export function TextChanges({ texts, text }: Props) {
  const changed = NAMES.filter((name) => text[name] !== null && text[name] !== text.default[name])
  if (changed.length === 0) return null
  return (
    <section class="panel" aria-label={texts.changes}>
      <h2>{texts.changes}</h2>
      <dl>
        {changed.map((name) => (
          <div key={name}>
            <dt>{texts[name]}</dt>
            {text.default[name] !== null && (
              <dd>
                <del dir="auto">{text.default[name]}</del>
              </dd>
            )}
            <dd>
              <ins dir="auto">{text[name]}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
