import type { Question } from '../../../platform/db/schema/event-types.ts'
import type { LeftOut } from '../../../platform/db/schema/import-jobs.ts'
import { keyOf, lineOf } from '../text-of.ts'
import { leftOut } from '../whys.ts'

export type BookingField = {
  readonly isDefault?: boolean
  readonly type: string
  readonly slug: string
  readonly label?: string
  readonly required?: boolean
  readonly hidden?: boolean
  readonly placeholder?: string
  readonly options?: readonly string[]
}

const TYPES: Readonly<Record<string, Question['type']>> = {
  text: 'short_text',
  address: 'short_text',
  textarea: 'long_text',
  multiemail: 'long_text',
  number: 'number',
  url: 'url',
  phone: 'phone',
  date: 'date',
  boolean: 'checkbox',
  select: 'choice',
  radio: 'choice',
  multiselect: 'choices',
  checkbox: 'choices',
}

const MOST = 20

/** What a field is called in questions and answers. */
export function labelOf({ label, slug }: Pick<BookingField, 'label' | 'slug'>): string {
  return lineOf(label, 255) ?? lineOf(slug, 255) ?? 'Question'
}

export function questionsOf(
  title: string,
  fields: readonly BookingField[],
): { readonly questions: readonly Question[]; readonly leftOut: readonly LeftOut[] } {
  const lost: LeftOut[] = []
  const keys = new Set<string>()
  const questions: Question[] = []
  for (const field of fields) {
    if (field.isDefault || field.hidden) continue
    const label = labelOf(field)
    const type = TYPES[field.type]
    if (!type) lost.push(leftOut({ part: 'question', of: title, detail: label }, 'question'))
    else if (questions.length === MOST) {
      lost.push(leftOut({ part: 'question', of: title, detail: label }, 'further_questions'))
    } else {
      const key = keyOf(field.slug, keys)
      keys.add(key)
      const options = [...new Set((field.options ?? []).flatMap((option) => lineOf(option, 255) ?? []))]
      const isChoice = type === 'choice' || type === 'choices'
      questions.push({
        key,
        label,
        // A choice needs two options.
        type: isChoice && options.length < 2 ? 'short_text' : type,
        required: field.required === true,
        options: isChoice && options.length >= 2 ? options.slice(0, 50) : null,
        help: lineOf(field.placeholder, 500),
      })
    }
  }
  return { questions, leftOut: lost }
}
