import { Option } from 'commander'
import { DEFAULT_STORE } from '../klines/store/default-store.ts'

/** Option `--store`, parsed as `store`. */
export function storeOption(): Option {
  return new Option('--store <folder>', 'folder of the kline store').default(DEFAULT_STORE)
}
