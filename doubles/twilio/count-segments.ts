/** The alphabet of one septet a sign: 3GPP TS 23.038, 6.2.1. */
const SEPTETS = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Signs of two septets: the extension table, 6.2.1.1. */
const PAIRS = new Set('\f^{}\\[~]|€')

/**
 * How many messages a text is sent as: twilio.com/docs/glossary/what-sms-character-limit. One sign outside the alphabet
 * makes all of it UCS-2. A pair of septets, or of surrogates, is not parted between two messages.
 */
export function countSegments(text: string): number {
  const signs = [...text]
  const isShort = signs.every((sign) => SEPTETS.has(sign) || PAIRS.has(sign))
  const sizes = signs.map((sign) => (isShort ? (PAIRS.has(sign) ? 2 : 1) : sign.length))
  const [alone, joined] = isShort ? [160, 153] : [70, 67]
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return 1
  let [count, used] = [1, 0]
  for (const size of sizes) {
    if (used + size > joined) {
      count += 1
      used = 0
    }
    used += size
  }
  return count
}
