import type { EngineEvent } from '../../../src/domain/engine-event.ts'
import type { EngineOutput } from '../../../src/domain/engine-output.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { HeldBack } from './held-back.ts'
import { WantedProtection } from './wanted-protection.ts'

/** What follows from everything that an engine took and decided, told from that alone. It never changes. */
export interface Past {
  readonly heldBack: HeldBack
  readonly protection: WantedProtection
}

/** Nothing has happened yet. */
export const NO_PAST: Past = { heldBack: new HeldBack(), protection: new WantedProtection() }

/** The past after another event, and what the engine decided then; the ledger is as that left it. */
export function pastAfter(
  { heldBack, protection }: Past,
  event: EngineEvent,
  decisions: readonly EngineOutput[],
  ledger: Ledger,
): Past {
  return { heldBack: heldBack.after(event), protection: protection.after(decisions, ledger) }
}

/** The past when a bot starts anew. */
export function pastAfterStart(past: Past): Past {
  return { ...past, heldBack: past.heldBack.afterStart() }
}
