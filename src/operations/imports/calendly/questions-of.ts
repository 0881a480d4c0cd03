import type { Question } from '../../../platform/db/schema/event-types.ts'
import type { LeftOut } from '../../../platform/db/schema/import-jobs.ts'
import { keyOf, lineOf } from '../text-of.ts'
import { leftOut } from '../whys.ts'

export type CustomQuestion = {
  readonly name: string
  readonly type: string
  readonly position?: number
  readonly enabled: boolean
  readonly required: boolean
  readonly answer_choices?: readonly string[] | null
  readonly include_other?: boolean
}

const TYPES: Readonly<Record<string, Question['type']>> = {
  string: 'short_text',
  text: 'long_text',
  phone_number: 'phone',
  single_select: 'choice',
  multi_select: 'choices',
}

const MOST = 20
/** The option for all other answers. */
const OTHER = 'Other'

export function questionsOf(
  title: string,
  asked: readonly CustomQuestion[],
): { readonly questions: readonly Question[]; readonly leftOut: readonly LeftOut[] } {
  const lost: LeftOut[] = []
  const keys = new Set<string>()
  const questions: Question[] = []
  const inOrder = asked
    .filter(({ enabled }) => enabled)
    .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
  for (const one of inOrder) {
    const label = lineOf(one.name, 255)
    const type = TYPES[one.type]
    const what = { part: 'question', of: title, detail: String(one.name) } as const
    if (label === null || !type) lost.push(leftOut(what, 'question'))
    else if (questions.length === MOST) lost.push(leftOut(what, 'further_questions'))
    else {
      const options = optionsOf(one)
      const isChoice = type === 'choice' || type === 'choices'
      const key = keyOf(label, keys)
      keys.add(key)
      questions.push({
        key,
        label,
        // A choice needs two options.
        type: isChoice && options.length < 2 ? 'short_text' : type,
        required: one.required,
        options: isChoice && options.length >= 2 ? options : null,
        help: null,
      })
    }
  }
  return { questions, leftOut: lost }
}

function optionsOf({ answer_choices: choices, include_other: hasOther }: CustomQuestion): string[] {
  const options = (choices ?? []).flatMap((choice) => lineOf(choice, 255) ?? [])
  return [...new Set([...options.slice(0, 49), ...(hasOther ? [OTHER] : options.slice(49, 50))])]
}
