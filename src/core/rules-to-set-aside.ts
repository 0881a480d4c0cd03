/** The rules that a caller can set aside on purpose. Nobody sets aside time that others have taken, seats or the plan. */
export const RULES_TO_SET_ASIDE = ['hours', 'notice', 'window', 'grid', 'cap', 'limits', 'busy'] as const
export type RuleToSetAside = (typeof RULES_TO_SET_ASIDE)[number]
