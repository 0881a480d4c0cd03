type Rgb = readonly [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const TEXT_CONTRAST = 4.6

/** Colors for one event type that can be read, whatever color it has (WCAG 2.2, 1.4.3 and 1.4.11). */
export type Tint = {
  readonly fill: string
  readonly onFill: string
  readonly textOnLight: string
  readonly textOnDark: string
}

/** `color` is `#rrggbb`; anything else gives the default. */
export function tintOf(color: string): Tint {
  const own = parse(color) ?? parse('#3b82f6')!
  // White on a slightly darker fill looks calmer than black, as long as the color stays itself.
  const takesWhite = contrast(own, WHITE) >= 2.8
  const fill = takesWhite ? readable(own, WHITE, BLACK) : own
  return {
    fill: print(fill),
    onFill: takesWhite ? '#ffffff' : '#111827',
    textOnLight: print(readable(own, [238, 242, 248], BLACK)),
    textOnDark: print(readable(own, [52, 58, 69], WHITE)),
  }
}

/** `color` moved towards `pole` until it can be read on (or under) `ground`. */
function readable(color: Rgb, ground: Rgb, pole: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, pole, share)
    if (contrast(mixed, ground) >= TEXT_CONTRAST) return mixed
  }
  return pole
}

function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(a[at] + (b[at] - a[at]) * share)
  return [part(0), part(1), part(2)]
}

function contrast(a: Rgb, b: Rgb): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function parse(color: string): Rgb | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)
  if (!match) return null
  const [, r, g, b] = match.map((part) => Number.parseInt(part, 16))
  return [r!, g!, b!]
}

function print(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
