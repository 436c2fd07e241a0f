/** Names of the accounts that money can be moved between: spot and futures. */
export const TRANSFER_ACCOUNTS = ['EXCHANGE', 'FUTURE'] as const

/** One of them. */
export type SimulatedTransferAccount = (typeof TRANSFER_ACCOUNTS)[number]
