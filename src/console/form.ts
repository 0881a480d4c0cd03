import { mostOfImage } from '../booking/images/read-image.ts'
import type { Page } from '../pages/page.ts'
import { readBody, readBytes, readStart } from '../platform/http/read-body.ts'
import type { Form } from './request.ts'
import type { Screen } from './screen.ts'

/** What the fields beside a file have room for. */
const MOST_BESIDE_FILE = 64 * 1024

/** What a form can contain beyond 64 KiB of fields. */
export type Room = Pick<Screen & { level?: never }, 'takesFile' | 'mostBytes'>

/** The fields of a sent form. Browsers send every line end as two characters. */
export async function readForm(
  { ctx: { request, env } }: Page,
  { takesFile, mostBytes }: Room = {},
): Promise<Form> {
  const type = request.headers.get('content-type') ?? ''
  if (request.method !== 'POST') return formOf([])
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const text = mostBytes
      ? new TextDecoder().decode(await readBytes(request, mostBytes))
      : await readBody(request)
    return formOf([...new URLSearchParams(text)])
  }
  const boundary = /^multipart\/form-data;.*\bboundary="?([^";]+)/i.exec(type)?.[1]
  if (!takesFile || boundary === undefined) return formOf([])
  // Of a file that is too large, as much is read as shows that it is: the fields come before it.
  const { bytes, isWhole } = await readStart(request, mostOfImage(env) + MOST_BESIDE_FILE)
  const body = new Blob(isWhole ? [bytes] : [bytes, `\r\n--${boundary}--\r\n`])
  return partsOf(new Response(body, { headers: { 'Content-Type': type } }))
}

async function partsOf(sent: Response): Promise<Form> {
  let parts: FormData
  try {
    parts = await sent.formData()
  } catch {
    return formOf([])
  }
  const fields = [...parts].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const file = [...parts.values()].find((value) => value instanceof File && value.size > 0)
  const bytes = file instanceof File ? new Uint8Array(await file.arrayBuffer()) : undefined
  return formOf(fields as [string, string][], bytes)
}

function formOf(sent: readonly (readonly [string, string])[], file?: Form['file']): Form {
  const fields = sent.map(([name, value]) => [name, value.replace(/\r\n/g, '\n').trim()] as const)
  const named = Map.groupBy(fields, ([name]) => name)
  const all = (name: string) => (named.get(name) ?? []).map(([, value]) => value)
  return Object.assign(new Map(fields), { all, ...(file && { file }) })
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
