import { looseId } from '../platform/db/ids.ts'
import { readBody } from '../platform/http/read-body.ts'
import { answersIn, type TypedAnswers } from './answers-in.ts'
import type { Page } from './page.ts'

/** What a visitor typed, and the key of the form they typed it into. */
export type Filled = {
  readonly key: string
  readonly name: string
  readonly email: string
  readonly notes: string
  /** Addresses of those who come along, one a line. */
  readonly guests: string
  /** The same of those who come along without a seat. */
  readonly company: string
  /** For how many weeks in a row; empty for one. */
  readonly repeat: string
  readonly answers: TypedAnswers
  /** The place, and the number to call there; both are empty where nobody was asked. */
  readonly place: string
  readonly phone: string
  /** Whether they agree to text messages. */
  readonly byText: boolean
  /** The code that was mailed to `codeFor`; both are empty where none was asked for. */
  readonly code: string
  readonly codeFor: string
  /** Whether another code is wanted, and nothing else. */
  readonly wantsCode: boolean
}

/** A new form with what the link knew already. */
export function prefilled({ searchParams }: URL): Filled {
  const told = (name: string, most: number) => (searchParams.get(name) ?? '').slice(0, most)
  return {
    key: looseId(),
    name: told('name', 255),
    email: told('email', 320),
    notes: told('notes', 2000),
    guests: told('guests', 4000).replaceAll(',', '\n'),
    company: '',
    repeat: '',
    answers: answersIn(searchParams, 500),
    place: '',
    phone: '',
    byText: false,
    code: '',
    codeFor: '',
    wantsCode: false,
  }
}

/** The fields of a sent form. A field sent twice has its last value. */
export async function readForm(page: Page): Promise<ReadonlyMap<string, string>> {
  return new Map(await readFields(page))
}

/** The same with every value of each. */
export async function readFields({ ctx }: Page): Promise<URLSearchParams> {
  const type = ctx.request.headers.get('content-type') ?? ''
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type)
  return new URLSearchParams(isForm ? await readBody(ctx.request) : '')
}

export function filledIn(fields: URLSearchParams): Filled {
  const form = new Map(fields)
  return {
    key: form.get('key') || looseId(),
    name: (form.get('name') ?? '').trim(),
    email: (form.get('email') ?? '').trim(),
    // Browsers send every line end as two characters.
    notes: (form.get('notes') ?? '').replace(/\r\n/g, '\n').trim(),
    guests: (form.get('guests') ?? '').replace(/\r\n/g, '\n').trim(),
    company: (form.get('company') ?? '').replace(/\r\n/g, '\n').trim(),
    repeat: form.get('repeat') ?? '',
    answers: answersIn(fields),
    place: form.get('place_id') ?? '',
    phone: (form.get('phone') ?? '').trim(),
    byText: form.has('by_text'),
    code: digitsOf(form.get('code') ?? ''),
    codeFor: form.get('code_for') ?? '',
    wantsCode: form.has('another_code'),
  }
}

/** The guests: each is named by the part before the @ until somebody names them otherwise. */
export function guestsIn({ guests }: Filled): { readonly name: string; readonly email: string }[] {
  return addressesIn(guests).map((email) => ({ name: email.split('@')[0] || email, email }))
}

/** The addresses of a field that takes several. */
export function addressesIn(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The same form after a refusal: the next attempt is a new request. */
export function again(filled: Filled): Filled {
  return { ...filled, key: looseId() }
}

/** Digits as 0 to 9, from any script or grouping. */
function digitsOf(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[\s-]/g, '')
}
