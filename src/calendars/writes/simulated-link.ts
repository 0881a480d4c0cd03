/** A meeting link of the sandbox: it leads nowhere. */
export function simulatedLink(holderId: string): string {
  return `https://meetings.example.com/test-meeting/${holderId}`
}
