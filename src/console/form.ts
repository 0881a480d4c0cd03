import type { Page } from '../pages/page.ts'
import { readBody } from '../platform/http/read-body.ts'
import type { Form } from './request.ts'

/** The fields of a sent form. Browsers send every line end as two characters. */
export async function readForm({ ctx: { request } }: Page): Promise<Form> {
  const type = request.headers.get('content-type') ?? ''
  const isForm = request.method === 'POST' && /^application\/x-www-form-urlencoded\b/i.test(type)
  const sent = new URLSearchParams(isForm ? await readBody(request) : '')
  const plain = (value: string) => value.replace(/\r\n/g, '\n').trim()
  const fields = new Map([...sent].map(([name, value]) => [name, plain(value)]))
  return Object.assign(fields, { all: (name: string) => sent.getAll(name).map(plain) })
}

/** A field that may stay empty: null then, which clears what was there. */
export function orNull(form: Form, name: string): string | null {
  return form.get(name) || null
}

/**
 * A number as it was typed. Everything else is sent as text, so that the endpoint refuses it at its field; so is a number with
 * three digits behind its point, which may be thousands. The field must be a text field: for an invalid number a browser sends
 * nothing, which would clear the stored value.
 */
export function numberIn(form: Form, name: string): number | string | null {
  const text = form.get(name) ?? ''
  if (text === '') return null
  return /^-?\d+([.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : text
}

/** A box: unchecked ones are not sent. */
export function isChecked(form: Form, name: string): boolean {
  return form.has(name)
}
