/** The resource that a host's bookings hold. The sandbox has its own: a test booking takes no live time. */
export function resourceIdOf(memberId: string, isTest: boolean): string {
  return isTest ? `${memberId}/test` : memberId
}
