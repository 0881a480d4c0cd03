import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @type {Readonly<Record<string, () => Promise<{ default: import('../types.d.ts').Adapter }>>>} */
const ADAPTERS = {
  holdfast: () => import('./holdfast.js'),
  peer: () => import('./peer.js'),
  naive: () => import('./naive.js'),
  easyappointments: () => import('./easyappointments.js'),
  calcom: () => import('./calcom.js'),
  librebooking: () => import('./librebooking.js'),
}

export const TARGETS = Object.keys(ADAPTERS)

/**
 * @param {string} name One of the targets, or the path of a module.
 * @returns {Promise<import('../types.d.ts').Adapter | null>}
 */
export async function findAdapter(name) {
  const own = ADAPTERS[name]
  if (own) return (await own()).default
  if (!/[./\\]/.test(name)) return null
  return (await import(/* @vite-ignore */ pathToFileURL(resolve(name)).href)).default
}
