/** Where Cloudflare can create an object: https://developers.cloudflare.com/durable-objects/reference/data-location/ */
export const REGIONS = [
  'wnam',
  'enam',
  'sam',
  'weur',
  'eeur',
  'apac',
  'apac-ne',
  'apac-se',
  'oc',
  'afr',
  'me',
] as const satisfies readonly DurableObjectLocationHint[]

export type Region = (typeof REGIONS)[number]
