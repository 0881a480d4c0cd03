type Rgb = readonly [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const INK: Rgb = [17, 24, 39]
const TEXT_CONTRAST = 4.6
const FILL_CONTRAST = 3.1
/** What a card is made of in the light and in the dark; the stylesheet has the same. */
const PAPER: Rgb = [255, 255, 255]
const SLATE: Rgb = [32, 36, 43]
/** How far that which is open stands out from the card, and that which a pointer is over. */
const WASH = { light: 1.2, dark: 1.32 }
const WASH_STRONG = { light: 1.36, dark: 1.6 }

/** Colors of one mode. */
type Shade = {
  readonly fill: string
  readonly onFill: string
  readonly text: string
  /** Behind what can be chosen. */
  readonly wash: string
  readonly washStrong: string
}

/** Colors for one event type that can be read, whatever color it has (WCAG 2.2, 1.4.3 and 1.4.11). */
export type Tint = { readonly light: Shade; readonly dark: Shade }

/** Finding them takes hundreds of trials, and few colors are in use. */
const tints = new Map<string, Tint>()

/** `color` is `#rrggbb`; anything else gives the default. */
export function tintOf(color: string): Tint {
  const known = tints.get(color)
  if (known) return known
  if (tints.size > 500) tints.clear()
  const own = parse(color) ?? parse('#3b82f6')!
  const made = {
    light: shadeOf(own, PAPER, BLACK, WASH.light, WASH_STRONG.light),
    dark: shadeOf(own, SLATE, WHITE, WASH.dark, WASH_STRONG.dark),
  }
  tints.set(color, made)
  return made
}

/** The color on `paper`, moved towards `pole` until it stands out, and as text until it can be read there. */
function shadeOf(own: Rgb, paper: Rgb, pole: Rgb, open: number, over: number): Shade {
  const visible = movedUntil(own, pole, (color) => contrast(color, paper) >= FILL_CONTRAST)
  // White on a slightly darker fill looks calmer than black, as long as the color stays itself.
  const takesWhite = contrast(own, WHITE) >= 2.8
  const onWhite = movedUntil(visible, BLACK, (color) => contrast(color, WHITE) >= TEXT_CONTRAST)
  const isWhiteGood = takesWhite && contrast(onWhite, paper) >= FILL_CONTRAST
  const fill = isWhiteGood
    ? onWhite
    : movedUntil(visible, WHITE, (color) => contrast(color, INK) >= TEXT_CONTRAST)
  const [wash, washStrong] = [open, over].map((least) =>
    movedUntil(paper, fill, (color) => contrast(color, paper) >= least),
  ) as [Rgb, Rgb]
  const text = movedUntil(own, pole, (color) => contrast(color, washStrong) >= TEXT_CONTRAST)
  return {
    fill: print(fill),
    onFill: print(isWhiteGood ? WHITE : INK),
    text: print(text),
    wash: print(wash),
    washStrong: print(washStrong),
  }
}

/** Lightens a color toward white: first to full brightness, so that a dark color does not turn grey. */
function movedUntil(color: Rgb, pole: Rgb, isEnough: (color: Rgb) => boolean): Rgb {
  const stops = pole === WHITE ? [color, brightest(color), WHITE] : [color, pole]
  for (let at = 1; at < stops.length; at++) {
    for (let share = 0; share < 1; share += 0.02) {
      const mixed = mix(stops[at - 1]!, stops[at]!, share)
      if (isEnough(mixed)) return mixed
    }
  }
  return pole
}

function brightest(color: Rgb): Rgb {
  const most = Math.max(...color)
  if (most === 0) return WHITE
  const [r, g, b] = color.map((part) => Math.round((part * 255) / most))
  return [r!, g!, b!]
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
