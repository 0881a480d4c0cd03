type Person = {
  uuid: string
  name: string
  email: string
  role: 'owner' | 'admin' | 'user'
  timezone: string
  of: string
}

export const STUDIO = 'AAAAAAAAAAAAAAAA'
export const ALONE = '5f0c7a0e-5d57-4a6f-9a4e-0d6c9a1b2c3d'

/** Identifiers are UUIDs, or sixteen signs where they are older. */
export const PEOPLE = {
  ada: {
    uuid: 'ADAADAADAADAADAA',
    name: 'Ada Berger',
    email: 'ada.berger@example.com',
    role: 'owner',
    timezone: 'Europe/Berlin',
    of: STUDIO,
  },
  ben: {
    uuid: '0b6b1c52-8a04-4d4c-9d3e-1f2a3b4c5d6e',
    name: 'Ben Okafor',
    email: 'ben.okafor@example.com',
    role: 'admin',
    timezone: 'Europe/Lisbon',
    of: STUDIO,
  },
  cem: {
    uuid: 'CEMCEMCEMCEMCEMC',
    name: 'Cem Yılmaz',
    email: 'Cem.Yilmaz@Example.com',
    role: 'user',
    timezone: 'America/New_York',
    of: STUDIO,
  },
  sol: {
    uuid: 'SOLSOLSOLSOLSOLS',
    name: 'Sol Marín',
    email: 'sol.marin@example.com',
    role: 'owner',
    timezone: 'Asia/Calcutta',
    of: ALONE,
  },
} as const satisfies Record<string, Person>
