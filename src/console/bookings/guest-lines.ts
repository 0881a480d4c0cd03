import type { BookingDetail } from '../../booking/bookings/schema.ts'

type Guest = { readonly email: string; readonly name?: string }

/** The guests as a text field shows them, one per line. */
export function guestLines(guests: BookingDetail['guests']): string {
  return guests.map(({ email, name }) => (name ? `${name} <${email}>` : email)).join('\n')
}

/** The same as the endpoints take it. A line without an address is sent as one, so that the endpoint refuses it. */
export function guestsIn(text: string): readonly Guest[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, email] = /^(.*?)\s*<([^<>]*)>$/.exec(line) ?? []
      return email === undefined ? { email: line } : { email, ...(name && { name }) }
    })
}
