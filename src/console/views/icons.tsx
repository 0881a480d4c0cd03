import { Icon, type IconName } from '../../pages/views/icon.tsx'

const PATHS = {
  home: 'M4 11 12 4l8 7M6 9.500V20h12V9.500M10 20v-6h4v6',
  list: 'M4 6h16M4 12h16M4 18h10',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  gear: 'M12 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM12 3v2.500M12 18.500V21M3 12h2.500M18.500 12H21M5.600 5.600l1.800 1.800M16.600 16.600l1.800 1.800M18.400 5.600l-1.800 1.800M7.400 16.600l-1.800 1.800',
  menu: 'M4 7h16M4 12h16M4 17h16',
  out: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.500 4.500',
  door: 'M6 21V4h12v17M3.500 21h17M14.500 12.500v.010',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  key: 'M15 9.500a4.500 4.500 0 1 0-4.300 4.500L12 16h2v2h2v2h4v-3l-5.300-5.300c.2-.700.3-1.400.3-2.200Z',
  pulse: 'M3 12h4l3-7 4 14 3-7h4',
  person:
    'M12 11.500a3.750 3.750 0 1 0 0-7.500 3.750 3.750 0 0 0 0 7.500ZM5 20c.6-3.500 3.400-5.500 7-5.500s6.400 2 7 5.500',
  alert: 'M12 8v5M12 16.500v.010M12 3.500 2.500 20h19Z',
} as const

export type ConsoleIconName = keyof typeof PATHS

/** A sign of the console, or one that it shares with the booking pages. Hidden from screen readers. */
export function Sign({ name }: { readonly name: ConsoleIconName | IconName }) {
  if (!(name in PATHS)) return <Icon name={name as IconName} />
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name as ConsoleIconName]} />
    </svg>
  )
}
