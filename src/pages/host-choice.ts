import type { HostToChoose, ShownHost } from '../booking/shown-hosts/statements.ts'
import { fill } from '../platform/i18n/plural.ts'
import type { Page } from './page.ts'

export type NamedHost = ShownHost & { readonly id: string }

/** The hosts that a page offers. */
export type HostChoice = {
  readonly hosts: readonly NamedHost[]
  /** Null as long as it is anyone, or nobody yet. */
  readonly chosen: NamedHost | null
  /** Whether anyone is a choice, too. */
  readonly isAnyoneFine: boolean
}

type Offered = {
  readonly hosts: readonly HostToChoose[] | null
  readonly isAnyoneFine: boolean
  /** The member who is chosen in the address or in the form. */
  readonly asked: string | null
}

/** Null if there is nothing to choose. Of one alone that is anyone. */
export function hostChoice({ locale }: Page, { hosts, isAnyoneFine, asked }: Offered): HostChoice | null {
  if (hosts === null || hosts.length === 0 || (hosts.length === 1 && isAnyoneFine)) return null
  const named = hosts.map(({ member_id: id, name, avatar_url: avatarUrl }, at) => ({
    id,
    name: name ?? fill(locale.texts.hostNumber, { n: at + 1 }),
    avatarUrl,
  }))
  return chosenOf({ hosts: named, chosen: null, isAnyoneFine }, asked)
}

/** The same with another host chosen. */
export function chosenOf(choice: HostChoice, asked: string | null): HostChoice {
  const { hosts, isAnyoneFine } = choice
  const only = hosts.length === 1 && !isAnyoneFine ? hosts[0]! : null
  return { ...choice, chosen: hosts.find(({ id }) => id === asked?.toLowerCase()) ?? only }
}

/** Whether no times can be shown before a host is chosen. */
export function isHostMissing(choice: HostChoice | null): boolean {
  return choice !== null && choice.chosen === null && !choice.isAnyoneFine
}
