/** Default folder of the store, relative to the working folder of commands. */
export const DEFAULT_STORE = 'data/klines'
