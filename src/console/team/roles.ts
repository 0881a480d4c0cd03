import type { Role } from '../../platform/auth/caller.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { teamTexts } from '../../platform/i18n/console/team.ts'
import type { Locale } from '../../platform/i18n/locale.ts'

/** What a role is called. */
export function roleName(locale: Locale, role: Role): string {
  const { roleOwner, roleAdmin, roleMember, roleViewer } = textsOf(locale, shellTexts)
  return { owner: roleOwner, admin: roleAdmin, member: roleMember, viewer: roleViewer }[role]
}

/** What a role may do. */
export function roleDoes(locale: Locale, role: Role): string {
  const { ownerDoes, adminDoes, memberDoes, viewerDoes } = textsOf(locale, teamTexts)
  return { owner: ownerDoes, admin: adminDoes, member: memberDoes, viewer: viewerDoes }[role]
}

/** The roles that somebody can be given, each with what it may do. */
export function roleOptions(locale: Locale) {
  return (['viewer', 'member', 'admin'] as const).map((role) => ({
    value: role as string,
    text: `${roleName(locale, role)}: ${roleDoes(locale, role)}`,
  }))
}
