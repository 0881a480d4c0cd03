import * as z from 'zod'
import { QUESTION_TYPES } from '../../platform/db/schema/event-types.ts'
import { refuseInexact } from '../../platform/http/exact-json.ts'
import { Lines, OneLine } from '../../platform/http/fields.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { isChoice } from './answer-kinds.ts'

const MAX_QUESTIONS = 20

const QuestionType = z
  .enum(QUESTION_TYPES)
  .meta({ id: 'QuestionType', description: 'The kind of the answer.' })

const OPTIONS = z
  .array(OneLine(255))
  .min(2)
  .max(50)
  .refine((options) => new Set(options).size === options.length, problem('listed_twice'))

const Key = z
  .string()
  .regex(/^[a-z0-9_]{1,40}$/, problem('not_a_key'))
  .refine((key) => key !== '__proto__', problem('reserved_key'))

const QuestionInput = z
  .object({
    key: Key.describe('Its name in `answers`.'),
    label: OneLine(255).describe('The question.'),
    type: QuestionType,
    required: z.boolean().default(false),
    options: OPTIONS.nullable().default(null).describe('The options; for `choice` and `choices` only.'),
    help: Lines(500).nullable().default(null).describe('A hint for the answer.'),
  })
  .superRefine(({ type, options }, context) => {
    if (isChoice(type) === (options !== null)) return
    const message = problem(options === null ? 'required' : 'options_without_choice')
    context.addIssue({ code: 'custom', path: ['options'], message, input: options })
  })

/** A question in the input of an event type. */
export const QuestionsInput = z
  .array(QuestionInput)
  .max(MAX_QUESTIONS)
  .superRefine((questions, context) => {
    const keys = questions.map(({ key }) => key)
    for (const [at, key] of keys.entries()) {
      if (keys.indexOf(key) === at) continue
      context.addIssue({ code: 'custom', path: [at, 'key'], message: problem('key_twice'), input: key })
    }
  })

export const Question = z
  .object({
    key: z.string().describe('Its name in `answers`.'),
    label: z.string(),
    type: QuestionType,
    required: z.boolean(),
    options: z.array(z.string()).nullable().describe('The options.'),
    help: z.string().nullable(),
  })
  .meta({
    id: 'Question',
    description: 'A question for the invitee.',
    example: {
      key: 'topic',
      label: 'What is it about?',
      type: 'choice',
      required: true,
      options: ['Hiring', 'Something else'],
      help: null,
    },
  })

/** Answers as they are sent; the questions of the event type say what each must be. */
export const AnswersInput = z
  .record(z.string(), z.unknown())
  .superRefine(refuseInexact)
  .nullable()
  .optional()
  .describe(
    "Answers to the event type's `questions`, by their keys: text, a number, true or false, a list of options for `choices`. Unknown keys are ignored, and an empty answer counts as missing.",
  )

export const GivenAnswers = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .describe('The answers, by the keys of the questions as they were then.')
