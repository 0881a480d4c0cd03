import { addressTexts } from '../../i18n/console/address.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import type { Visit } from '../visit.ts'

/** For whoever only came by a link of the operator: what an address is for, and where it is added. */
export function NoAddress({ visit }: { readonly visit: Visit }) {
  const texts = textsOf(visit.page.locale, addressTexts)
  return (
    <section class="panel" aria-label={texts.title}>
      <p>{texts.why}</p>
      <div class="form-end">
        <a class="button soft-button" href="/console/settings/address">
          {texts.title}
        </a>
      </div>
    </section>
  )
}
