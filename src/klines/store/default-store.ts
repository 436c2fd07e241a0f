/** Where the store lies unless said otherwise; below the folder that commands run in. */
export const DEFAULT_STORE = 'data/klines'
