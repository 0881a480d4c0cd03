/** Names that the platform still lists in their old spelling, with the one that people look for (IANA, `backward`). */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** The present name of a zone, whichever name the visitor's browser uses. */
export function todaysName(zone: string): string {
  return RENAMED[zone] ?? zone
}

type Region = { readonly name: string; readonly zones: readonly string[] }

let known: readonly Region[] | null = null

/** The zones to choose from. The engine takes milliseconds to list them, so it does so for the first page that needs them. */
export function regionsToChooseFrom(): readonly Region[] {
  known ??= regions()
  return known
}

function regions(): Region[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(isNotUtc).map(todaysName).toSorted()]
  return [...Map.groupBy(zones, (zone) => zone.split('/')[0]!)].map(([name, own]) => ({ name, zones: own }))
}

function isNotUtc(zone: string): boolean {
  return zone !== 'UTC'
}
