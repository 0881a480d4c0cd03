import type { PageEventType } from '../booking/listing/schema.ts'
import type { Messages } from '../platform/i18n/en.ts'

type Place = PageEventType['places'][number]

/** Products are called the same in every language. */
const PRODUCTS: Readonly<Partial<Record<Place['kind'], string>>> = {
  video_a: 'Zoom',
  calendar_a_meet: 'Google Meet',
  calendar_b_meet: 'Microsoft Teams',
}

/** What a place is called: its label, else what it is. */
export function placeName(texts: Messages, { kind, label, value }: Place): string {
  if (label !== null) return label
  switch (kind) {
    case 'in_person':
      return value ?? texts.inPerson
    case 'phone_out':
      return texts.weCallYou
    case 'phone_in':
      return texts.youCall
    default:
      return PRODUCTS[kind] ?? texts.videoCall
  }
}
