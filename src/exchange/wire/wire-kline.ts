import { z } from 'zod'
import type { Kline } from '../../domain/market-data/kline.ts'
import { listField } from './list-field.ts'
import { numberField, openTimeField } from './wire-field.ts'

/** A kline on the wire; `idx` comes in seconds or in ms. */
const wireKline = z
  .object({
    idx: openTimeField,
    open: numberField,
    high: numberField,
    low: numberField,
    close: numberField,
    vol: numberField,
  })
  .transform(
    ({ idx, open, high, low, close, vol }): Kline => ({ openTime: idx, open, high, low, close, volume: vol }),
  )

/** Answer of the kline endpoints, newest first. */
export const klinesResponse = listField(wireKline)
