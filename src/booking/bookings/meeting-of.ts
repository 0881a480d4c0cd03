/** What a meeting is called where its host sees it. Who was erased has no name. */
export function meetingOf(title: string, inviteeName: string): string {
  return inviteeName === '' ? title : `${title}: ${inviteeName}`
}
