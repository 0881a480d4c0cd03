/** As the account of a sandbox is called, which no provider has. */
export function simulatedAccountId(organizationId: string): string {
  return `acct_test_${organizationId.replaceAll('-', '')}`
}
