import { answerText } from '../../booking/questions/answer-text.ts'
import type { KeptAnswer } from '../../booking/questions/take-answers.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import type { Fact } from './facts.tsx'

/** What was answered, each under the question as it was then. */
export function answerFacts(locale: Locale, answers: readonly KeptAnswer[]): Fact[] {
  return answers.map(({ label, value }) => ({
    icon: 'note' as const,
    label,
    text: (
      <>
        <span class="soft" aria-hidden="true">
          <bdi>{label}</bdi>
        </span>
        <br />
        <span class="pre">{answerText(locale, value)}</span>
      </>
    ),
  }))
}
