import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAdapter } from '../../race/src/adapters/find.js'
import { serveNaive } from '../../race/src/naive/serve.js'
import type { Target } from '../../race/src/types.d.ts'
import { createPeerSubject, installPeer, startPeer } from '../bench/peer-service.ts'
import { findPostgres, startPostgres } from '../bench/postgres.ts'
import { createSubject } from '../bench/subject.ts'
import { buildWorker, migrateState, SERVICE_KEY, startService } from '../support/service.ts'
import { forward } from './forward.ts'

/** More than all storms take, however many rounds. */
const PEER_EVENT_TYPES = 100

export type Started = { readonly target: Target; stop(): Promise<void> }

async function connectTo(
  name: string,
  url: string,
  key: string,
  settings: Readonly<Record<string, string>>,
  restart: (() => Promise<void>) | null,
): Promise<Target> {
  const adapter = (await findAdapter(name))!
  return adapter({ url, key, settings, restart })
}

async function startHoldfast(): Promise<Started> {
  const directory = await mkdtemp(join(tmpdir(), 'race-'))
  const state = join(directory, 'state')
  const [bundle] = await Promise.all([buildWorker(join(directory, 'build')), migrateState(state)])
  const door = await forward()
  let service = await startService(bundle, state)
  door.to(service.url)
  const restart = async () => {
    await service.kill()
    service = await startService(bundle, state)
    door.to(service.url)
  }
  const { organizationId, key } = await createSubject(new URL(service.url).origin, 1)
  const settings = { service_key: SERVICE_KEY, organization: organizationId }
  return {
    target: await connectTo('holdfast', door.url, key, settings, restart),
    stop: async () => {
      door.stop()
      await service.kill()
      await rm(directory, { recursive: true })
    },
  }
}

async function startThePeer(folder: string): Promise<Started> {
  await installPeer()
  const cluster = await startPostgres(folder)
  const door = await forward()
  let peer = await startPeer(cluster)
  door.to(peer.url)
  const restart = async () => {
    await peer.stop('SIGKILL')
    peer = await startPeer(cluster)
    door.to(peer.url)
  }
  const { key, eventTypeIds } = await createPeerSubject(cluster, PEER_EVENT_TYPES)
  const version = `5 with PostgreSQL ${/postgresql\/(\d+)/.exec(folder)?.[1] ?? ''}`.trim()
  return {
    target: await connectTo('peer', door.url, key, { event_types: eventTypeIds.join(), version }, restart),
    stop: async () => {
      door.stop()
      await peer.stop()
      await cluster.stop()
    },
  }
}

async function startNaive(): Promise<Started> {
  const { url, stop } = await serveNaive()
  return { target: await connectTo('naive', url, '', {}, null), stop }
}

/** What can be started on this machine, by name, or the reason why it cannot. */
export const TARGETS: Readonly<Record<string, () => Promise<Started> | string>> = {
  holdfast: startHoldfast,
  peer: () => {
    const folder = findPostgres()
    return folder ? startThePeer(folder) : 'there is no PostgreSQL on this machine'
  },
  naive: startNaive,
}
