/** The accounts; the studio is team 50. */
export const PEOPLE = {
  ada: {
    id: 101,
    name: 'Ada Berger',
    username: 'ada',
    email: 'ada.berger@example.com',
    timeZone: 'Europe/Berlin',
    role: 'OWNER',
  },
  ben: {
    id: 102,
    name: 'Ben Okafor',
    username: 'ben',
    email: 'ben.okafor@example.com',
    timeZone: 'Europe/Lisbon',
    role: 'ADMIN',
  },
  cem: {
    id: 103,
    name: null,
    username: 'cem',
    email: 'Cem.Yilmaz@Example.com',
    timeZone: 'America/New_York',
    role: 'MEMBER',
  },
  sol: {
    id: 104,
    name: 'Sol Marín',
    username: 'sol',
    email: 'sol.marin@example.com',
    timeZone: 'Asia/Calcutta',
    role: null,
  },
} as const

export const TEAM = { id: 50, name: 'Berger Studio', slug: 'berger-studio' } as const
