import { answerOf, ask, bodyOf } from '../ask.js'

const MINUTE_MS = 60_000
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const PAGE = 100

/** Wall-clock time in UTC as its API writes it. @param {number} at */
const written = (at) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/**
 * Easy!Appointments by its REST API v1 (openapi.yml of the project): services, providers, customers, appointments. A provider is the
 * host. Its instance must run in UTC. Appointments are written as they are sent: the check for free time is `/availabilities`.
 *
 * @type {import('../types.d.ts').Adapter}
 */
export default async function easyAppointments({ url, key, settings, restart }) {
  const headers = { authorization: `Bearer ${key}` }
  const api = `${url}/index.php/api/v1`
  const call = (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) =>
    ask(method, `${api}${path}`, { headers, ...(body !== undefined && { body }) })
  let made = 0
  const unique = () => `race${Date.now().toString(36)}${++made}`
  /** @type {Map<string, string[]>} */
  const services = new Map()

  /** @param {string} host */
  const offer = async (host) =>
    bodyOf(
      await call('PUT', `/providers/${host}`, { services: (services.get(host) ?? []).map(Number) }),
      'provider',
    )

  async function makeHost() {
    const name = unique()
    const open = { start: '00:00', end: '24:00', breaks: [] }
    const body = {
      firstName: 'Race',
      lastName: name,
      email: `${name}@example.com`,
      phone: '+10000000000',
      timezone: 'UTC',
      services: [],
      settings: {
        username: name,
        password: crypto.randomUUID(),
        notifications: false,
        calendarView: 'default',
        workingPlan: Object.fromEntries(DAYS.map((day) => [day, open])),
      },
    }
    return String(bodyOf(await call('POST', '/providers', body), 'provider').id)
  }

  /** @param {any} appointment */
  const bookingOf = ({ id, start, end, providerId, customerId }) => ({
    id: String(id),
    email: String(customerId),
    start: Date.parse(`${start.replace(' ', 'T')}Z`),
    end: Date.parse(`${end.replace(' ', 'T')}Z`),
    host: String(providerId),
    isActive: true,
  })

  return {
    name: 'Easy!Appointments',
    version: settings.version ?? 'unknown',
    features: new Set([
      'open',
      'hosts',
      'seats',
      'move',
      ...(restart ? /** @type {const} */ (['restart']) : []),
    ]),
    makeHost,
    async makeEventType(spec) {
      const { minutes, seats = 1 } = spec
      const hosts = spec.hosts ?? [await makeHost()]
      const body = {
        name: unique(),
        duration: minutes,
        price: 0,
        currency: 'EUR',
        slotInterval: minutes,
        attendantsNumber: seats,
      }
      const id = String(bodyOf(await call('POST', '/services', body), 'service').id)
      for (const host of hosts) {
        services.set(host, [...(services.get(host) ?? []), id])
        await offer(host)
      }
      return { ...spec, hosts, id }
    },
    async open({ id, hosts }, from) {
      const date = new Date(from).toISOString().slice(0, 10)
      const path = `/availabilities?providerId=${hosts?.[0]}&serviceId=${id}&date=${date}`
      const times = bodyOf(await call('GET', path, undefined), 'availabilities')
      return times.map((/** @type {string} */ time) => Date.parse(`${date}T${time}:00Z`))
    },
    async book({ id, hosts, minutes }, start, { name, email }) {
      const person = { firstName: name, lastName: 'Race', email, phone: '+10000000000' }
      const customer = await call('POST', '/customers', person)
      const body = {
        start: written(start),
        end: written(start + minutes * MINUTE_MS),
        customerId: customer.body?.id,
        providerId: Number(hosts?.[0]),
        serviceId: Number(id),
      }
      const answer = await call('POST', '/appointments', body)
      return answerOf(answer, answer.body?.id === undefined ? undefined : String(answer.body.id))
    },
    async move(id, start) {
      const before = bookingOf(bodyOf(await call('GET', `/appointments/${id}`, undefined), 'appointment'))
      const body = { start: written(start), end: written(start + before.end - before.start) }
      return answerOf(await call('PUT', `/appointments/${id}`, body), id)
    },
    async list({ id }) {
      const all = []
      for (let page = 1; ; page++) {
        const path = `/appointments?serviceId=${id}&page=${page}&length=${PAGE}`
        const some = bodyOf(await call('GET', path, undefined), 'appointments')
        all.push(...some.map(bookingOf))
        if (some.length < PAGE) return all
      }
    },
    ...(restart && { restart }),
  }
}
