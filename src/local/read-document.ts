import { registerHooks } from 'node:module'

const RUNTIME = 'data:text/javascript,export class DurableObject {}; export const waitUntil = () => {}'
const SERVER_URL = 'http://localhost:8787'

/** The OpenAPI document of the sources as they are. */
export async function readDocument(): Promise<Record<string, unknown>> {
  // The routes reach what exists in the Workers runtime only, such as the base class of objects. Nothing here runs any of it.
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'cloudflare:workers' ? { url: RUNTIME, shortCircuit: true } : next(specifier, context),
  })
  const [{ openApiDocument }, { openDocumented }] = await Promise.all([
    import('../platform/http/openapi/document.ts'),
    import('../routes.ts'),
  ])
  const document = openApiDocument(await openDocumented(), SERVER_URL)
  hooks.deregister()
  return document
}
