import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { firstBusy } from './hosts.ts'
import { sendJson } from './http.ts'
import type { Cluster } from './postgres.ts'

const PEER = resolve(import.meta.dirname, '../peer')

export type PeerService = {
  readonly url: string
  readonly process: number
  untilQuiet(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Its packages are not those of the project: they are installed where it is, once. */
export async function installPeer(): Promise<void> {
  if (existsSync(join(PEER, 'node_modules/fastify'))) return
  await promisify(execFile)('npm', ['ci', '--prefix', PEER, '--workspaces=false'], { cwd: PEER })
}

/** The peer in a process of its own; `locks` lets callers of one start wait for each other. */
export async function startPeer({ url: database }: Cluster, locks = false): Promise<PeerService> {
  const emails = await mkdtemp(join(tmpdir(), 'bench-peer-'))
  const args = [join(PEER, 'service.ts'), database, emails, ...(locks ? ['locks'] : [])]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const end = (signal?: NodeJS.Signals) => void child.kill(signal)
  const endWithUs = () => end()
  process.once('exit', endWithUs)
  const [told]: unknown[] = await Promise.race([once(child.stdout!, 'data'), once(child, 'close')])
  const url = String(told).trim()
  if (!URL.canParse(url)) throw new Error('the peer ended before it was up')
  const untilQuiet = async () => {
    const ask = () => sendJson<{ pending: number }>({ method: 'GET', url: `${url}/pending` })
    while ((await ask()).pending > 0) await sleep(100)
  }
  const stop = async (signal?: NodeJS.Signals) => {
    const gone = once(child, 'close')
    process.off('exit', endWithUs)
    end(signal)
    await gone
    await rm(emails, { recursive: true })
  }
  return { url, process: child.pid!, untilQuiet, stop }
}

export type PeerSubject = { readonly key: string; readonly eventTypeIds: readonly string[] }

/** As `createSubject`: an organization with a key and event types of half an hour, open around the clock. */
export async function createPeerSubject({ run }: Cluster, eventTypes: number): Promise<PeerSubject> {
  const schema = readFileSync(join(PEER, 'schema.sql'), 'utf8')
  const key = `key-${crypto.randomUUID()}`
  const eventTypeIds = Array.from({ length: eventTypes }, () => crypto.randomUUID())
  const list = eventTypeIds.map((id) => `'${id}'`).join()
  await run(`${schema};
    INSERT INTO event_types (id, organization_id, title, duration_minutes, interval_minutes, notice_minutes, timezone)
      SELECT id, '${crypto.randomUUID()}', 'Bench', 30, 30, 0, 'UTC' FROM unnest(ARRAY[${list}]::uuid[]) id;
    INSERT INTO api_keys SELECT sha256('${key}'), organization_id FROM event_types LIMIT 1;
    INSERT INTO weekly_hours SELECT id, day, '0', '24:00' FROM event_types, generate_series(0, 6) day;
    INSERT INTO event_type_resources SELECT id, id FROM event_types`)
  return { key, eventTypeIds }
}

/** As `addHosts`, for event types that share the hosts. */
export async function addPeerHosts({ run }: Cluster, ids: readonly string[], count: number): Promise<void> {
  const list = ids.map((id) => `'${id}'`).join()
  const hosts = Array.from({ length: count }, () => `'${crypto.randomUUID()}'`).join()
  const start = `to_timestamp(${firstBusy() / 1_000}) + interval '3 hours' * at`
  await run(`
    DELETE FROM event_type_resources WHERE event_type_id IN (${list});
    INSERT INTO event_type_resources SELECT event, host FROM unnest(ARRAY[${list}]::uuid[]) event,
      unnest(ARRAY[${hosts}]::uuid[]) host;
    INSERT INTO bookings (id, organization_id, event_type_id, resource_id, span, invitee_name, invitee_email,
        invitee_timezone, metadata, attendees, created_at)
      SELECT gen_random_uuid(), organization_id, e.id, host, tstzrange(${start}, ${start} + interval '30 minutes'),
        'A', 'a@b.c', 'UTC', '{}', '[]', now()
      FROM event_types e, unnest(ARRAY[${hosts}]::uuid[]) host, generate_series(0, 199) at WHERE e.id = '${ids[0]}';
    ANALYZE`)
}
