import { z } from 'zod'
import { amountOf } from '../../domain/numbers/amount.ts'
import { exactly, settings, whole } from '../settings.ts'
import { TRANSFER_ACCOUNTS } from './transfer-account.ts'

const PROBABILITY = 'a probability above 0 and of at most 1'
const COIN = 'the name of a coin'

/** Which transfers fail; every condition that is given must hold. */
const failure = settings({
  coin: z.string({ error: COIN }).min(1, { error: COIN }).optional(),
  from: z
    .enum(TRANSFER_ACCOUNTS, { error: `one of ${TRANSFER_ACCOUNTS.join(', ')}` })
    .optional()
    .describe('Only transfers out of this account.'),
  /** Only amounts larger than this. */
  above: exactly('an amount with at most 18 decimals', amountOf).optional(),
  probability: z
    .number({ error: PROBABILITY })
    .positive({ error: PROBABILITY })
    .max(1, { error: PROBABILITY })
    .default(1)
    .describe('Of how many of these transfers; 0.01 is one in a hundred.'),
})

/** Transfers between spot and futures: how long they take on the exchange's clock, and which ones fail. */
export const transferSettings = settings({
  /** From the request to the arrival, ms; until then a transfer is PENDING, and its money in neither account. */
  arrivalMs: whole(0).default(0),
  /** FAILED transfers: the money returns at the time of its expected arrival. */
  failures: z.array(failure, { error: 'a list of failures' }).prefault([]),
})

/** A complete section. */
export type TransferSettings = z.output<typeof transferSettings>
