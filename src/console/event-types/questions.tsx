import type { EventType } from '../../booking/event-types/schema.ts'
import { QUESTION_TYPES } from '../../platform/db/schema/event-types.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { isChecked, orNull } from '../form.ts'
import type { Form } from '../request.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { When } from '../views/when.tsx'
import type { EventTypeBody, FieldsProps, FieldsTab, Problems } from './tabs.ts'

type Question = EventType['questions'][number]

const BLANK: Question = { key: '', label: '', type: 'short_text', required: false, options: null, help: null }

/** What people are asked before they book, and where they are sent afterwards. */
export const formTab: FieldsTab = {
  at: '/form',
  read,
  reword,
  Fields,
  asSent: ({ questions }) => ({
    questions: questions.map(({ key, label, type, required, options, help }) => ({
      key,
      label,
      type,
      required,
      options,
      help,
    })),
  }),
}

/** What is wrong with any part of a question stands at the question, which is numbered as the endpoint counts. */
function reword(_: Locale, fields: Problems): Problems {
  const told = Object.entries(fields)
  return Object.fromEntries(told.map(([name, text]) => [name.replace(/^(questions\.\d+)\..+/, '$1'), text]))
}

function read(form: Form): EventTypeBody {
  const typed: (Question & { readonly place: number })[] = []
  for (let at = 0; form.has(`q${at}_label`); at++) {
    const label = form.get(`q${at}_label`)!
    const isStarted = ['key', 'options', 'help'].map((part) => form.get(`q${at}_${part}`) ?? '')
    // Without its text a saved question is removed, and a new one that has other parts is refused rather than lost.
    if (label === '' && (isStarted[0] !== '' || isStarted.every((part) => part === ''))) continue
    const type = form.get(`q${at}_type`) as Question['type']
    const place = Number(form.get(`q${at}_place`) || at + 1)
    const options = (form.get(`q${at}_options`) ?? '').split('\n').map((one) => one.trim())
    typed.push({
      key: form.get(`q${at}_key`) ?? '',
      label,
      type,
      required: isChecked(form, `q${at}_required`),
      options: type === 'choice' || type === 'choices' ? options.filter((one) => one !== '') : null,
      help: orNull(form, `q${at}_help`),
      place: Number.isNaN(place) ? at + 1 : place,
    })
  }
  const keys = new Set(typed.map(({ key }) => key))
  const questions = typed
    .toSorted((a, b) => a.place - b.place)
    .map(({ place: _, ...question }) => ({ ...question, key: question.key || newKey(question.label, keys) }))
  return {
    questions,
    verify_email: isChecked(form, 'verify_email'),
    redirect_url: orNull(form, 'redirect_url'),
  }
}

/** The name that answers have in the API: made of what is asked, once. */
function newKey(label: string, taken: Set<string>): string {
  const plain = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const base =
    plain
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 36) || 'question'
  let key = base
  for (let n = 2; taken.has(key); n++) key = `${base}_${n}`
  taken.add(key)
  return key
}

function Fields({ locale, value, trouble }: FieldsProps) {
  const texts = textsOf(locale, eventTypeTexts)
  const field = fieldsFor<Readonly<Record<string, string>>>({ locale }, {})
  const types = QUESTION_TYPES.map((type) => ({ value: type, text: texts[type] }))
  const errorOf = (at: number) => trouble.fields?.[`questions.${at}`]
  const question = (one: Question, at: number) => (
    <fieldset class="panel" key={at} id={`questions.${at}`}>
      <legend>{fill(texts.question, { n: at + 1 })}</legend>
      {errorOf(at) && <p class="error">{errorOf(at)}</p>}
      <input type="hidden" name={`q${at}_key`} value={one.key} />
      <div class="pair">
        {field.text(`q${at}_label`, texts.label, { value: one.label, isOptional: true })}
        {field.select(`q${at}_type`, texts.type, types, { value: one.type })}
        <When name="options">
          {field.text(`q${at}_options`, texts.options, {
            value: one.options?.join('\n') ?? '',
            rows: 3,
            isOptional: true,
          })}
        </When>
        {field.text(`q${at}_help`, texts.help, { value: one.help ?? '', rows: 3, isOptional: true })}
        {field.number(`q${at}_place`, texts.place_of, { value: String(at + 1), size: 'short' })}
        {field.check(`q${at}_required`, texts.isRequired, { isChecked: one.required })}
      </div>
    </fieldset>
  )
  const own = fieldsFor({ locale, trouble }, value)
  return (
    <>
      <p class="soft">{texts.questionsLead}</p>
      {value.questions.map(question)}
      <details class="folded" open={value.questions.length === 0}>
        <summary>{texts.newQuestion}</summary>
        {question(BLANK, value.questions.length)}
      </details>
      <fieldset class="panel">
        <legend>{texts.afterwards}</legend>
        {own.check('verify_email', texts.verify, { hint: texts.verifyHint })}
        {own.text('redirect_url', texts.redirect, {
          hint: texts.redirectHint,
          inputmode: 'url',
          isOptional: true,
        })}
      </fieldset>
    </>
  )
}
