import { urlAt } from '../../env.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { isChecked } from '../form.ts'
import type { Form } from '../request.ts'
import { CopyLine } from '../views/copy-line.tsx'
import { fieldsFor } from '../views/fields-for.tsx'
import { pageOf } from './page-of.ts'
import type { EventTypeBody, FieldsProps, FieldsTab } from './tabs.ts'

/** Its color, its page, and the line that puts it on a website. */
export const appearanceTab: FieldsTab = { at: '/look', read, Fields }

function read(form: Form): EventTypeBody {
  return {
    color: form.get('color') ?? '',
    booking_page_enabled: isChecked(form, 'booking_page_enabled'),
    listed: isChecked(form, 'listed'),
  }
}

function Fields({ request, locale, value, trouble }: FieldsProps) {
  const texts = textsOf(locale, eventTypeTexts)
  const field = fieldsFor({ locale, trouble }, value)
  const { env } = request.page.ctx
  const page = pageOf(request, value)
  const embed = `<script src="${urlAt(env, '/embed.js')}" data-org="${request.member.slug}" data-event="${value.slug}" async></script>`
  return (
    <section class="panel" aria-label={texts.tabLook}>
      {field.check('booking_page_enabled', texts.pageOn, { hint: texts.pageOnHint })}
      {field.check('listed', texts.listed, { hint: texts.listedHint })}
      {field.text('color', texts.color, { type: 'color' })}
      {page && (
        <div class="part">
          <h2>{texts.address}</h2>
          <CopyLine locale={locale} text={urlAt(env, page)} />
        </div>
      )}
      {page && value.preview_url === null && (
        <div class="part">
          <h2>{texts.embed}</h2>
          <p class="hint">{texts.embedHint}</p>
          <CopyLine locale={locale} text={embed} />
        </div>
      )}
    </section>
  )
}
