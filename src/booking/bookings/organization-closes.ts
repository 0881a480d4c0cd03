/** The `cancel_reason` if the organization is to be deleted. */
export const ORGANIZATION_CLOSES = 'The organization closes'
