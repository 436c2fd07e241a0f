import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Block } from './guide-pages.ts'

const INDEX = readFileSync(resolve(import.meta.dirname, '../../src/strategy/index.ts'), 'utf8')
/** What strategies can import by value. */
const EXPORTS = [...INDEX.matchAll(/^export \{([\s\S]*?)\}/gm)]
  .flatMap(([, names = '']) => names.split(','))
  .map(name => name.trim())
  .filter(name => /^[a-z]\w*$/.test(name))

/** The path and the text of the file that a TypeScript block is: its own, or a strategy around the body of a handler, which enters where that does not. */
export function snippetFile(block: Block): { readonly path: string; readonly text: string } {
  if (block.file !== undefined) return { path: block.file, text: block.text }
  const name = `${block.page.replace('.md', '')}-${block.number}`
  const used = EXPORTS.filter(word => new RegExp(`\\b${word}\\(`).test(block.text))
  const needed = [...new Set([...used, 'defineStrategy', 'sma', 'atr', 'crossesAbove', 'enterLong'])]
  return {
    path: `strategies/${name}.ts`,
    text: `import { ${needed.join(', ')} } from '../src/strategy/index.ts'
export default defineStrategy({
  name: '${name}',
  indicators: () => ({ fast: sma(5), slow: sma(20), range: atr(5) }),
  onKline(kline, { indicators: { fast, slow, range }, position, orders, equity, time }) {
${block.text}    if (position.direction === 'flat' && crossesAbove(fast, slow)) return enterLong()
  },
})
`,
  }
}
