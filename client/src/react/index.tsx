'use client'

import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { loadEmbed } from './embed.ts'
import { type BookingHandlers, useBookingEvents } from './events.ts'

export type { BookingEvents, BookingHandlers } from './events.ts'

/** Which page is shown, how, and with what filled in. */
export type BookingPageOptions = {
  /** Where Holdfast is, such as `https://book.example.com`. */
  readonly baseUrl: string
  /** The slug of the organization. */
  readonly org: string
  /** The slug of the event type; without it, all that the organization lists. */
  readonly event?: string | undefined
  /** Without it, as light or dark as the ground it lies on. */
  readonly theme?: 'light' | 'dark' | undefined
  /** `#rrggbb` */
  readonly color?: string | undefined
  readonly hideDetails?: boolean | undefined
  /** `en`, `de`, `fr`, `es`, `ja` or `ar`; without it, the visitor's. */
  readonly lang?: string | undefined
  /** An IANA zone; without it, the visitor's. */
  readonly tz?: string | undefined
  readonly clock?: '12' | '24' | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly notes?: string | undefined
  /** Email addresses, with commas between them. */
  readonly guests?: string | undefined
  /** `YYYY-MM-DD` */
  readonly date?: string | undefined
  /** `YYYY-MM`: which month is shown at first, where `date` does not say it. */
  readonly month?: string | undefined
  /** In minutes, where several are offered. */
  readonly duration?: number | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly answers?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** What a screen reader calls the frame. */
  readonly title?: string | undefined
  /** The mark of a test event type's `preview_url`. */
  readonly preview?: string | undefined
}

export type BookingPageProps = BookingPageOptions &
  BookingHandlers & {
    readonly className?: string | undefined
    /** What is shown until the page is there, inside a link that leads to it. */
    readonly children?: ReactNode
  }

/**
 * A booking page as a part of your own page. It is as high as what it shows. Without a script, on the server and where
 * Holdfast cannot be reached it is a link to the page.
 */
export function BookingPage(props: BookingPageProps) {
  const { className, children = 'Book a time', ...rest } = props
  const { options, handlers } = split(rest)
  const stage = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(false)
  useBookingEvents(stage, handlers)
  const asked = JSON.stringify(options)
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const { baseUrl, ...wanted } = JSON.parse(asked) as BookingPageOptions
    let isOver = false
    let takeAway: (() => void) | null = null
    loadEmbed(baseUrl).then(
      (embed) => {
        if (isOver) return
        takeAway = embed.show(element, wanted)
        setShown(takeAway !== null)
      },
      () => isOver || tellUnreachable(element),
    )
    return () => {
      isOver = true
      takeAway?.()
      setShown(false)
    }
  }, [asked])
  return (
    <div className={className}>
      {!isShown && <a href={addressOf(options)}>{children}</a>}
      <div ref={stage} />
    </div>
  )
}

export type BookingLinkProps = BookingPageOptions &
  BookingHandlers & {
    readonly className?: string | undefined
    readonly children: ReactNode
  }

/** A link that opens a booking page over your own page, and leads to it where it cannot. */
export function BookingLink(props: BookingLinkProps) {
  const { className, children, ...rest } = props
  const { options, handlers } = split(rest)
  const link = useRef<HTMLAnchorElement>(null)
  useBookingEvents(link, handlers)
  const { baseUrl, ...wanted } = options
  useEffect(() => {
    // So that the first click finds it there. A click tries again.
    loadEmbed(baseUrl).catch(() => {})
  }, [baseUrl])

  function open(event: MouseEvent<HTMLAnchorElement>) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    const { currentTarget } = event
    const follow = () => location.assign(addressOf(options))
    loadEmbed(baseUrl).then((embed) => embed.open(wanted, currentTarget) || follow(), follow)
  }

  return (
    <a ref={link} className={className} href={addressOf(options)} onClick={open}>
      {children}
    </a>
  )
}

function split(props: BookingPageOptions & BookingHandlers) {
  const { onViewed, onDateSelected, onTimeSelected, onBooked, onFailed, ...options } = props
  return { options, handlers: { onViewed, onDateSelected, onTimeSelected, onBooked, onFailed } }
}

function addressOf({ baseUrl, org, event, lang }: BookingPageOptions): string {
  const path = [org, ...(event === undefined ? [] : [event])].map(encodeURIComponent).join('/')
  return `${new URL(baseUrl).origin}/book/${path}${lang ? `?lang=${encodeURIComponent(lang)}` : ''}`
}

function tellUnreachable(element: HTMLElement): void {
  element.dispatchEvent(
    new CustomEvent('holdfast:failed', { bubbles: true, detail: { code: 'unreachable' } }),
  )
}
