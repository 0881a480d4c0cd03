import { escapeHtml, hiddenFields, htmlPage } from '../pages.ts'
import type { Call, Reply } from '../world.ts'
import { consentable } from './scopes.ts'
import { type Back, backUrl } from './send-back.ts'
import type { Account, State } from './state.ts'

const button = (call: Call, more: Record<string, string>, label: string) =>
  `<form method="get">${hiddenFields(call.query)}${hiddenFields(Object.entries(more))}<p><button>${escapeHtml(label)}</button></p></form>`

const labelOf = ({ mail, settings }: Account) =>
  `${settings.displayName} (${mail}, ${settings.kind === 'work' ? 'work or school account' : 'personal account'}${settings.isAdministrator ? ', administrator' : ''})`

/**
 * A page for a newcomer, with a button for each account that there is. The real one asks for a password; with `as` in
 * the address, a shortcut of the double, there is no page at all.
 */
export function askConsent({ accounts }: State, call: Call, scopes: readonly string[]): Reply {
  const wanted = consentable(scopes).map((scope) => `<li>${escapeHtml(scope)}</li>`)
  const buttons = [...accounts.values()].map((account) =>
    button(call, { as: account.mail, page: '1' }, `Accept as ${labelOf(account)}`),
  )
  const intro =
    '<p>This is not Microsoft but its double on this machine, with pretend accounts. Holdfast wants:</p>'
  const cancel = button(call, { deny: '1' }, 'Cancel')
  return htmlPage(
    200,
    'Permissions requested',
    `${intro}<ul>${wanted.join('')}</ul>${buttons.join('')}${cancel}`,
  )
}

export function askAdministrator({ accounts }: State, call: Call, scopes: readonly string[]): Reply {
  const wanted = consentable(scopes).map((scope) => `<li>${escapeHtml(scope)}</li>`)
  const buttons = [...accounts.values()]
    .filter((account) => account.settings.kind === 'work')
    .map((account) =>
      button(call, { as: account.mail }, `Accept for the organization as ${labelOf(account)}`),
    )
  const cancel = button(call, { deny: '1' }, 'Cancel')
  return htmlPage(
    200,
    'Permissions requested: review for your organization',
    `<ul>${wanted.join('')}</ul>${buttons.join('')}${cancel}`,
  )
}

/** learn.microsoft.com/entra/identity-platform/application-consent-experience: nothing is sent back until somebody leaves. */
export function showNeedForAdministrator(
  account: Account,
  back: Back,
  answer: Readonly<Record<string, string>>,
): Reply {
  const isRequest = account.settings.userConsent === 'AADSTS90095'
  const title = isRequest ? 'Approval required' : 'Need admin approval'
  const text = isRequest
    ? 'This app requires your admin’s approval. Your request was sent.'
    : 'Holdfast needs permission to access resources in your organization that only an admin can grant.'
  const link = `<a href="${escapeHtml(backUrl(back, answer))}">Return to the application without granting consent</a>`
  return htmlPage(200, title, `<p>${escapeHtml(account.mail)}</p><p>${text}</p><p>${link}</p>`)
}
