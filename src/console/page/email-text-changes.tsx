import type { EmailText } from '../../delivery/email-texts/schema.ts'
import { wordChanges } from './word-changes.ts'

type Name = 'subject' | 'intro' | 'closing'
const NAMES: readonly Name[] = ['subject', 'intro', 'closing']

type Props = {
  readonly texts: Readonly<Record<Name | 'changes', string>>
  readonly text: EmailText
}

/** What was written, and what of the default it replaces. */
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
            <dd class="pre" dir="auto">
              {wordChanges(text.default[name] ?? '', text[name] ?? '').map(({ kind, text: words }, at) =>
                kind === 'same' ? (
                  words
                ) : kind === 'gone' ? (
                  <del key={at}>{words}</del>
                ) : (
                  <ins key={at}>{words}</ins>
                ),
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
