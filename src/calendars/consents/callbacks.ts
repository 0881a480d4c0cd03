import { callbackPath, SUITES } from '../accounts/suites.ts'
import { CALLBACK_PATH } from '../meetings/oauth-provider.ts'
import type { ConsentProvider } from './providers.ts'

type Callback = { readonly path: string; readonly name: string; readonly word: string; readonly tag: string }

/** Where providers send the owner of an account back to, and the providers' names for people. */
export const CALLBACKS: Readonly<Record<ConsentProvider, Callback>> = {
  calendar_a: {
    path: callbackPath('calendar_a'),
    name: SUITES.calendar_a.name,
    word: 'Google',
    tag: 'Calendars',
  },
  calendar_b: {
    path: callbackPath('calendar_b'),
    name: SUITES.calendar_b.name,
    word: 'Microsoft',
    tag: 'Calendars',
  },
  video_a: { path: CALLBACK_PATH, name: 'Zoom', word: 'Zoom', tag: 'Conferencing' },
}
