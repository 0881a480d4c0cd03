/** What stands for a meeting link in the sandbox: nobody answers there. */
export function simulatedLink(holderId: string): string {
  return `https://meetings.example.com/test-meeting/${holderId}`
}
