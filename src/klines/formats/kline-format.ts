/**
 * A kline file format: this project's CSV, Binance's CSV dumps, freqtrade's JSON, Arrow IPC (feather is
 * that), Parquet.
 */
export type KlineFormat = 'csv' | 'binance' | 'json' | 'arrow' | 'parquet'

export type TextKlineFormat = Exclude<KlineFormat, 'arrow' | 'parquet'>

export const KLINE_FORMATS: readonly KlineFormat[] = ['csv', 'binance', 'json', 'arrow', 'parquet']
