/** The title of a meeting for its host. Erased invitees have no name. */
export function meetingOf(title: string, inviteeName: string): string {
  return inviteeName === '' ? title : `${title}: ${inviteeName}`
}
