/** The `cancel_reason` where the organization is to be deleted. */
export const ORGANIZATION_CLOSES = 'The organization closes'
