import type { TestProject } from 'vitest/node'
import { openCalcom } from '../../doubles/calcom/open-calcom.ts'
import { openCaldav } from '../../doubles/caldav/open-caldav.ts'
import { openCalendly } from '../../doubles/calendly/open-calendly.ts'
import { openGoogle } from '../../doubles/google/open-google.ts'
import { openIcs } from '../../doubles/ics/open-ics.ts'
import { openMicrosoft } from '../../doubles/microsoft/open-microsoft.ts'
import { openOpenidConnect } from '../../doubles/openid-connect/open-openid-connect.ts'
import { startDoubles } from '../../doubles/start-doubles.ts'
import { openStripe } from '../../doubles/stripe/open-stripe.ts'
import { openTwilio } from '../../doubles/twilio/open-twilio.ts'
import { openZoom } from '../../doubles/zoom/open-zoom.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the doubles of the providers are, outside the runtime under test: see doubles/README.md. */
    readonly worlds: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const doubles = await startDoubles({
    google: openGoogle,
    microsoft: openMicrosoft,
    zoom: openZoom,
    ics: openIcs,
    caldav: openCaldav,
    stripe: openStripe,
    twilio: openTwilio,
    'openid-connect': openOpenidConnect,
    calendly: openCalendly,
    calcom: openCalcom,
  })
  project.provide('worlds', doubles.url)
  return doubles.stop
}
