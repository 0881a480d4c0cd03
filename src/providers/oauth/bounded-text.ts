import { CalendarError } from '../calendar/calendar-client.ts'

/** The whole body as text; throws `unusable` when it is longer than `maxBytes`. */
export async function boundedText(response: Response, maxBytes: number, from: string): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > maxBytes) throw new CalendarError('unusable', `${from} sent more than can be read.`)
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
