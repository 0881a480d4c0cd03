import { CONTENT_TYPES } from '../../booking/images/format.ts'
import { mostOfImage } from '../../booking/images/read-image.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { imageTexts } from '../../platform/i18n/console/images.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { problem } from '../../platform/reasons/reason.ts'
import type { MemberRequest } from '../request.ts'
import { problemIn, type Trouble } from '../trouble.ts'
import { FileField } from './fields.tsx'
import { Form } from './form.tsx'

type Props = {
  readonly request: MemberRequest
  readonly action: `/console${string}`
  /** The id of the file's field, and what the image is. */
  readonly id: string
  readonly label: string
  readonly hint?: string
  /** What is shown now. */
  readonly url: string | null
  /** What it is shown on. */
  readonly ground?: 'light' | 'dark'
  readonly trouble?: Trouble
}

/** Uploads an image, shows the one that is there, and removes it. */
export function ImageForm({ request, action, id, label, hint, url, ground = 'light', trouble }: Props) {
  const { page } = request
  const texts = textsOf(page.locale, imageTexts)
  const most = mostOfImage(page.ctx.env)
  const kib = most / 1024
  const size = kib < 1024 ? `${kib} KB` : `${kib / 1024} MB`
  return (
    <Form
      request={request}
      action={action}
      label={label}
      class="panel steps"
      takesFile
      {...(trouble && { trouble })}
    >
      {url && <img class={`shown-image ${ground}`} src={url} alt={label} />}
      <FileField
        locale={page.locale}
        name="file"
        id={id}
        label={label}
        hint={[hint, fill(texts.hint, { size })].filter(Boolean).join(' ')}
        accept={CONTENT_TYPES.join()}
        most={most}
        tooLarge={problemIn(page.locale, problem('too_large', { kib }))}
        {...(trouble && { trouble })}
      />
      <div class="form-end">
        <button type="submit" class="button soft-button">
          {texts.upload}
          <span class="unseen">: {label}</span>
        </button>
        {url && (
          <button
            type="submit"
            name="remove"
            value="1"
            class="button ghost"
            aria-label={fill(texts.removeOf, { what: label })}
          >
            {texts.remove}
          </button>
        )}
      </div>
    </Form>
  )
}
