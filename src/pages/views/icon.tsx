const PATHS = {
  clock: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  place:
    'M12 21s7-6.2 7-11a7 7 0 1 0-14 0c0 4.800 7 11 7 11ZM12 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  video: 'M4 7h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1ZM15 11l6-3v8l-6-3',
  price: 'M3 7h18v10H3zM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  globe: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.500 20c1-4 4-5.500 7.500-5.500s6.500 1.500 7.500 5.500',
  seats:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM3 19c.5-3.500 3-5 6-5s5.500 1.500 6 5M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c1.800.700 2.800 2.300 3 4.500',
  note: 'M5 4h14v16H5zM8.500 9h7M8.500 13h7M8.500 17h4',
  previous: 'M14.500 6 8.500 12l6 6',
  next: 'M9.500 6l6 6-6 6',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  cross: 'M7 7l10 10M17 7 7 17',
  wait: 'M7 3h10M7 21h10M8 3c0 5 8 6 8 9s-8 4-8 9M16 3c0 5-8 6-8 9s8 4 8 9',
} as const

export type IconName = keyof typeof PATHS

/** Drawn with the text's color; hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  const isDirectional = name === 'previous' || name === 'next'
  return (
    <svg
      class={isDirectional ? 'icon turns' : 'icon'}
      viewBox="0 0 24 24"
      width="20"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
