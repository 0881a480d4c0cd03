import { wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { calendarViewTexts } from '../../platform/i18n/console/calendar-view.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { timeOptions } from '../../platform/i18n/format.ts'
import { NotifyField } from '../bookings/notify-field.tsx'
import type { MemberRequest } from '../request.ts'

/** What the script shows: the menu of a block, the question before a change, and the time to undo it. */
export function ActionParts({ request }: { readonly request: MemberRequest }) {
  const { page, zone, now } = request
  const { locale } = page
  const texts = textsOf(locale, calendarViewTexts)
  const format = { weekday: 'short', day: 'numeric', month: 'short', ...timeOptions(locale), timeZone: 'UTC' }
  return (
    <>
      <p class="soft p-keys" hidden>
        {texts.keys}
      </p>
      <dialog
        id="act"
        aria-labelledby="act-title"
        data-locale={locale.tag}
        data-format={JSON.stringify(format)}
        data-now={wallTimeOf(zoneTable(zone, now, now), now)}
        data-ask-move={texts.askMove}
        data-ask-cancel={texts.askCancel}
        data-move={texts.moveNow}
        data-cancel={texts.cancel}
        data-moving={texts.moving}
        data-stopped={texts.stopped}
        data-will-move={texts.willMove}
        data-will-cancel={texts.willCancel}
        data-undone={texts.undone}
        data-failed={texts.failed}
      >
        <h2 id="act-title" tabIndex={-1}>
          {texts.title}
        </h2>
        <p class="act-text" />
        <div data-part="menu" class="form-end">
          <a class="button" href="/console/bookings" data-to="">
            {texts.open}
          </a>
          <a class="button soft-button" href="/console/bookings" data-to="/move">
            {texts.move}
          </a>
          <a class="button soft-button" href="/console/bookings" data-to="/hand-over">
            {texts.handOver}
          </a>
          <button type="button" class="danger" data-do="cancel">
            {texts.cancel}
          </button>
        </div>
        <div data-part="ask" class="steps">
          <NotifyField request={request} isSent={false} />
          <button type="button" class="button" data-do="confirm">
            {texts.moveNow}
          </button>
        </div>
        <button type="button" class="soft-button" data-do="close">
          {texts.close}
        </button>
      </dialog>
      <div class="p-undo" hidden>
        <span />
        <button type="button" class="soft-button" data-do="undo">
          {texts.undo}
        </button>
        <button type="button" class="ghost" data-do="now">
          {texts.now}
        </button>
      </div>
    </>
  )
}
