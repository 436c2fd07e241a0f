import type { BotStatus } from '../log/bot-status.ts'

/** Answer of a running bot. */
export type ControlAnswer =
  | { readonly ok: true; readonly message: string; readonly status: BotStatus }
  /** `isUsage`: the request was wrong, rather than the moment. */
  | { readonly ok: false; readonly message: string; readonly isUsage: boolean }
