import type { Json, Reply } from './world.ts'

export const DONE: Reply = { status: 204 }

export const NO_CONTROL: Reply = { status: 404, json: { error: 'There is no such control.' } }

export const wrong = (error: string): Reply => ({ status: 400, json: { error } })

/** Changes settings; refuses names that they do not have. */
export function put(settings: Json, said: Json): Reply {
  const unknown = Object.keys(said).filter((name) => !Object.hasOwn(settings, name))
  if (unknown.length > 0) return wrong(`There is no ${unknown.join(', ')}.`)
  Object.assign(settings, said)
  return DONE
}
