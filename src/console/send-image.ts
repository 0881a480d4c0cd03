import type { Acted } from '../platform/http/act-as.ts'
import { Refused } from '../platform/http/errors.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { textsOf } from '../platform/i18n/console/catalogue.ts'
import { imageTexts } from '../platform/i18n/console/images.ts'
import type { MemberRequest } from './request.ts'
import { type Trouble, troubleOf } from './trouble.ts'

type Ways = {
  readonly put: (file: Uint8Array<ArrayBuffer>) => Promise<Acted<unknown>>
  readonly remove: () => Promise<Acted<unknown>>
}

/** Uploads or removes what the form of an image says; null if that is done, else what is wrong with the field. */
export async function sendImage(
  { form, page: { locale } }: MemberRequest,
  id: string,
  { put, remove }: Ways,
): Promise<{ readonly trouble: Trouble; readonly status: number } | null> {
  const { file } = form
  const isRemoved = form.has('remove')
  if (!isRemoved && !file) {
    const { none } = textsOf(locale, imageTexts)
    return { trouble: { fields: { [id]: none } }, status: 422 }
  }
  const acted = await (isRemoved || !file ? remove() : put(file))
  if (acted.ok) return null
  if (acted.refusal.code === 'forbidden') throw new Refused(acted.refusal)
  const trouble = troubleOf(locale, acted.refusal, { fields: { body: id } })
  return { trouble, status: formStatus(acted.refusal) }
}
