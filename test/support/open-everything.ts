/*
 * What the Worker opens when something first asks for it is open before a test begins. Where tests run, an import that
 * is under way belongs to the request that began it, and another one that waits for it is cut off.
 */
const modules = import.meta.glob<unknown>([
  '../../src/resources/**/routes.ts',
  '../../src/resources/**/*-routes.ts',
  '../../src/resources/consents/consent-pages.ts',
  '../../src/resources/webhooks/sent-webhooks.ts',
  '../../src/http/openapi/openapi-route.ts',
  '../../src/pages/answer-page.ts',
  '../../src/jobs/{consume,sweep}.ts',
  '../../src/providers/**/*-{account,meetings}.ts',
  '../../src/providers/caldav/discover-account.ts',
  '../../src/resources/**/accounts/*-keeper.ts',
])
for (const open of Object.values(modules)) await open()
