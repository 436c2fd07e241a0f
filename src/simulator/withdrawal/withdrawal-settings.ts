import { z } from 'zod'
import { amountOf } from '../../domain/numbers/amount.ts'
import { exactly, settings, whole } from '../settings.ts'

const amount = exactly('an amount with at most 18 decimals', amountOf)
const notNegative = amount.refine(value => value >= 0n, { error: 'an amount of at least 0' })
const byAsset = 'a section of amounts by asset, such as USDT: 1'
const name = (expected: string) => z.string({ error: expected }).min(1, { error: expected })

/** Which withdrawals end otherwise than completed; every condition that is given must hold. */
const exception = settings({
  /** Before it is approved (`rejected`, `revoked`), or when it is paid (`failed`). */
  ends: z
    .enum(['rejected', 'revoked', 'failed'], { error: 'one of rejected, revoked, failed' })
    .describe('How it ends: before it is approved (rejected, revoked), or when it is paid (failed).'),
  asset: name('an asset').optional(),
  address: name('an address').optional(),
  /** Only amounts larger than this. */
  above: amount.optional(),
  /** Reason in the record. */
  info: z.string({ error: 'a text' }).default(''),
})

/** Fees, durations on the exchange's clock, and failures of withdrawals. */
export const withdrawalSettings = settings({
  /** The asset behind each name of a coin on one of its chains; other names are those of the asset itself. */
  chains: z
    .record(z.string(), name('an asset'), { error: 'a section of assets by chain name, such as TUSDT: USDT' })
    .prefault({ EUSDT: 'USDT', TUSDT: 'USDT', USDTBSC: 'USDT' }),
  /** Coin of a request without a symbol, which is optional. */
  defaultSymbol: name('the name of a coin').default('USDT'),
  /** Charged on top of the amount; 0 for an asset that is not listed. */
  fees: z.record(z.string(), notNegative, { error: byAsset }).prefault({}),
  /** Smallest amounts; 0 for an asset that is not listed. */
  minima: z
    .record(z.string(), notNegative, { error: byAsset })
    .prefault({})
    .describe('Smallest amounts by asset.'),
  /** Largest amounts; without one, no bound. */
  maxima: z.record(z.string(), amount, { error: byAsset }).prefault({}).describe('Largest amounts by asset.'),
  /** From the application to its approval, ms. */
  approvalMs: whole(0).default(60_000),
  /** From the approval to the payment, ms. */
  paymentMs: whole(0).default(60_000).describe('From the approval to the payment, ms.'),
  /** From the payment to its completion, ms. */
  completionMs: whole(0).default(300_000).describe('From the payment to its completion, ms.'),
  exceptions: z.array(exception, { error: 'a list of exceptions' }).prefault([]),
})

/** A complete section. */
export type WithdrawalSettings = z.output<typeof withdrawalSettings>
