import { childrenOf, type JsonSchema, variantsOf } from './json-schema.ts'

const KLINE_FILE = { type: 'string', description: 'The path of a file of klines.' }
const TICK_FILE = { type: 'string', description: 'The path of a file of trades.' }
const QUOTES_FILE = {
  type: 'string',
  description: 'The path of a file of best bids and asks of the same time.',
}

/**
 * Changes recorded markets in the schema of an exchange to the form of the file: paths of files in place of
 * the rows. Markets of the type live are left out, because only a bot moves them.
 */
export function nameMarketFiles(schema: JsonSchema): void {
  for (const variant of variantsOf(schema)) {
    const { properties } = variant
    if (variant.anyOf !== undefined) variant.anyOf = variant.anyOf.filter(isWritten)
    if (variant.oneOf !== undefined) variant.oneOf = variant.oneOf.filter(isWritten)
    if (properties?.type?.const === 'klines') {
      const { klines: _, ...others } = properties
      variant.properties = { ...others, type: { type: 'string', const: 'file' }, file: KLINE_FILE }
      variant.required = ['type', 'file']
    }
    if (properties?.type?.const === 'ticks') {
      const type = { type: 'string', const: 'tickFile' }
      variant.properties = { type, file: TICK_FILE, quotesFile: QUOTES_FILE }
      variant.required = ['type', 'file']
    }
  }
  for (const [, child] of childrenOf(schema)) nameMarketFiles(child)
}

function isWritten({ properties }: JsonSchema): boolean {
  return properties?.type?.const !== 'live'
}
