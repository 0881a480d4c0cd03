/** Whose time a host's bookings hold. The sandbox has a time of its own: a test booking takes none of the member's. */
export function resourceIdOf(memberId: string, isTest: boolean): string {
  return isTest ? `${memberId}/test` : memberId
}
