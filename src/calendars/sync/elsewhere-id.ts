export const ELSEWHERE = 'elsewhere/'

/** The id of what an event of ours blocks in a calendar that nobody connected. */
export function elsewhereId(uid: string): string {
  return `${ELSEWHERE}${uid}`
}
