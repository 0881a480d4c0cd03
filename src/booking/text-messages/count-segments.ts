/* The default alphabet of GSM 03.38 and its extension, whose signs count twice (3GPP TS 23.038, 6.2.1). */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '^{}\\[~]|€\f'

/** How many messages a text is billed as. One sign outside of the alphabet makes all of it longer. */
export function countSegments(text: string): number {
  const signs = [...text]
  const isBasic = signs.every((sign) => BASIC.includes(sign) || EXTENDED.includes(sign))
  if (!isBasic) return text.length <= 70 ? 1 : Math.ceil(text.length / 67)
  const septets = signs.reduce((sum, sign) => sum + (EXTENDED.includes(sign) ? 2 : 1), 0)
  return septets <= 160 ? 1 : Math.ceil(septets / 153)
}
