import { z } from 'zod'
import type { Accounts } from '../../config/account-fields.ts'
import type { PaperVenueConfig } from '../../config/bot-config.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { UsageError } from '../../domain/sluice-error.ts'

const ACCOUNT_KINDS = ['spot', 'margin', 'futures'] as const

const paperSetup = z.object({
  paper: z.object({ spotUrl: z.string().optional(), futuresUrl: z.string().optional() }),
  /** Decimals of price and quantity of each pair, and size and decimals of each contract, by name. */
  grids: z.record(z.string(), z.string()),
  /** Decimal text by asset. */
  balances: z.record(z.string(), z.string()),
  /** Accounts that were traded. */
  opened: z.array(z.enum(ACCOUNT_KINDS)),
})

/** Facts of the first start of a paper account that later starts need. */
export type PaperSetup = z.output<typeof paperSetup>

/** Setup of a paper account that begins. */
export function paperSetupOf(
  { spotUrl, futuresUrl, balances }: PaperVenueConfig,
  accounts: Accounts,
  grids: Readonly<Record<string, string>>,
): PaperSetup {
  return {
    paper: { ...(spotUrl !== undefined && { spotUrl }), ...(futuresUrl !== undefined && { futuresUrl }) },
    grids,
    balances: Object.fromEntries([...balances].map(([asset, amount]) => [asset, amountToText(amount)])),
    opened: ACCOUNT_KINDS.filter(kind => accounts[kind] !== undefined),
  }
}

/**
 * Reads the setup kept in a file; throws `UsageError` where an account was opened on another host, or counts on
 * a grid that the host has changed. The host of a market that was never traded, or is no longer, does not matter.
 */
export function paperSetupToGoOnWith(noted: string, path: string, now: PaperSetup): PaperSetup {
  const anew = `Move ${path} and the journal beside it away to begin anew, or name another journal.`
  const parsed = paperSetup.safeParse(JSON.parse(noted))
  if (!parsed.success)
    throw new UsageError(`${path} keeps a simulated exchange, and no paper account on a real host. ${anew}`)
  const before = parsed.data
  for (const key of tradedHosts(before)) {
    const [opened, named] = [before.paper[key], now.paper[key]]
    if (opened !== undefined && named !== undefined && opened !== named)
      throw new UsageError(
        `The paper account in ${path} was opened on ${opened}, but the configuration names ${named}. ${anew}`,
      )
  }
  for (const [symbol, grid] of Object.entries(before.grids)) {
    const listed = now.grids[symbol]
    if (listed !== undefined && listed !== grid)
      throw new UsageError(
        `The host has changed the steps of ${symbol} since the paper account in ${path} was opened (${grid}, now ${listed}), by which its orders and trades are counted. ${anew}`,
      )
  }
  return {
    ...before,
    paper: { ...before.paper, ...now.paper },
    opened: ACCOUNT_KINDS.filter(kind => before.opened.includes(kind) || now.opened.includes(kind)),
    grids: { ...before.grids, ...now.grids },
  }
}

/** Hosts on which accounts were traded: pairs and margin on that of spot. */
function tradedHosts({ opened }: PaperSetup): ReadonlySet<keyof PaperSetup['paper']> {
  return new Set(opened.map(kind => (kind === 'futures' ? 'futuresUrl' : 'spotUrl')))
}
