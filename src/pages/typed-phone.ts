/**
 * A phone number in E.164, as far as it was typed as one: in digits of any script, with what people put between them, and with
 * `00` for the plus. The endpoint refuses everything else.
 */
export function typedPhone(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\(0\)/, '')
    .replace(/[\s\p{Cf}\p{Pd}()./·]/gu, '')
    .replace(/^00/, '+')
}
