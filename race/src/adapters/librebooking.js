import { answerOf, ask, bodyOf } from '../ask.js'

const MINUTE_MS = 60_000

/** @param {number} at */
const written = (at) => `${new Date(at).toISOString().slice(0, 19)}+0000`

/**
 * LibreBooking by its API (docs/source/API.rst of the project), which must be turned on: resources are what is booked, and a resource is
 * an event type here. Its lengths are free, so starts and lengths are those of the request. `--key user:password` signs in, as an
 * application administrator; `--set schedule=1` is a schedule that is open around the clock.
 *
 * @type {import('../types.d.ts').Adapter}
 */
export default async function libreBooking({ url, key, settings, restart }) {
  const api = `${url}/Web/Services/index.php`
  const at = key.indexOf(':')
  const credentials = { username: key.slice(0, at), password: key.slice(at + 1) }
  const signedIn = bodyOf(
    await ask('POST', `${api}/Authentication/Authenticate`, { body: credentials }),
    'sign-in',
  )
  const headers = {
    'X-Booked-SessionToken': signedIn.sessionToken,
    'X-Booked-UserId': String(signedIn.userId),
  }
  const call = (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) =>
    ask(method, `${api}${path}`, { headers, ...(body !== undefined && { body }) })
  let made = 0

  return {
    name: 'LibreBooking',
    version: settings.version ?? 'unknown',
    features: new Set([
      'lengths',
      'approval',
      'cancel',
      'move',
      ...(restart ? /** @type {const} */ (['restart']) : []),
    ]),
    makeHost() {
      throw new Error('what is booked is the resource')
    },
    async makeEventType(spec) {
      const body = {
        name: `Race ${Date.now().toString(36)} ${++made}`,
        scheduleId: Number(settings.schedule ?? 1),
        requiresApproval: spec.approval ?? false,
        autoAssignPermissions: true,
        maxConcurrentReservations: 1,
      }
      const { resourceId } = bodyOf(await call('POST', '/Resources/', body), 'resource')
      return { ...spec, id: String(resourceId) }
    },
    open() {
      throw new Error('its API does not list starts')
    },
    async book({ id, minutes: usual }, start, person) {
      const body = {
        // It tells bookings apart: all of them are made by the user who signed in.
        title: person.email,
        startDateTime: written(start),
        endDateTime: written(start + (person.minutes ?? usual) * MINUTE_MS),
        resourceId: Number(id),
        userId: Number(signedIn.userId),
      }
      const answer = await call('POST', '/Reservations/', body)
      return answerOf(answer, answer.body?.referenceNumber || undefined)
    },
    approve: async (id) => answerOf(await call('POST', `/Reservations/${id}/Approval`, undefined), id),
    cancel: async (id) => answerOf(await call('DELETE', `/Reservations/${id}`, undefined), id),
    async move(id, start) {
      const before = bodyOf(await call('GET', `/Reservations/${id}`, undefined), 'reservation')
      const length = Date.parse(before.endDate) - Date.parse(before.startDate)
      const body = {
        title: before.title,
        startDateTime: written(start),
        endDateTime: written(start + length),
        resourceId: before.resourceId,
        userId: Number(signedIn.userId),
      }
      return answerOf(await call('POST', `/Reservations/${id}`, body), id)
    },
    async list({ id }) {
      const [from, to] = [0, 30].map((days) => written(Date.now() + days * 1_440 * MINUTE_MS))
      const query = new URLSearchParams({ resourceId: id, startDateTime: from ?? '', endDateTime: to ?? '' })
      const { reservations } = bodyOf(await call('GET', `/Reservations/?${query}`, undefined), 'reservations')
      // What was deleted is listed no more.
      return reservations.map((/** @type {any} */ one) => ({
        id: one.referenceNumber,
        email: one.title,
        start: Date.parse(one.startDate),
        end: Date.parse(one.endDate),
        host: null,
        isActive: true,
      }))
    },
    ...(restart && { restart }),
  }
}
