type Language = 'en' | 'de'

/** What other services call places without a brand. */
const WORDS: Readonly<Record<string, readonly [en: string, de: string]>> = {
  ask_invitee: ['where the invitee wants to meet', 'wo der Gast sich treffen möchte'],
  attendeeDefined: ['where the invitee wants to meet', 'wo der Gast sich treffen möchte'],
  attendeeAddress: ['the address of the invitee', 'die Adresse des Gasts'],
  organizersDefaultApp: ['the usual video app of the host', 'die übliche Video-App des Gastgebers'],
  inbound_call: ['a call to an unknown number', 'ein Anruf unter einer unbekannten Nummer'],
  phone: ['a call to an unknown number', 'ein Anruf unter einer unbekannten Nummer'],
  link: ['a link without https', 'ein Link ohne https'],
  custom: ['a place of its own', 'ein eigener Ort'],
  unknown: ['an unknown place', 'ein unbekannter Ort'],
}

/** Names that are not written as their code is. */
const BRANDS: Readonly<Record<string, string>> = {
  gotomeeting: 'GoTo Meeting',
  webex: 'Webex',
  cal: 'Cal Video',
  daily: 'Cal Video',
  facetime: 'FaceTime',
  whatsapp: 'WhatsApp',
  mirotalk: 'MiroTalk',
  eightxeight: '8x8',
  element_call: 'Element Call',
  office365: 'Microsoft Teams',
  zoom: 'Zoom',
}

const LOOKS_LIKE_CODE = /^[A-Za-z0-9_:-]+$/

/** A place that another service names by a code, in words. */
export function placeWords(code: string, language: Language): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined
  if (words) return words[language === 'de' ? 1 : 0]
  if (!LOOKS_LIKE_CODE.test(code)) return code
  const name = code
    .toLowerCase()
    .replaceAll(/[-:]/g, '_')
    .replace(/^integrations_/, '')
    .replace(/_(conference|conferencing|video)$/, '')
  if (Object.hasOwn(BRANDS, name)) return BRANDS[name]!
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
