import { strategyFiles } from '../../../backtest/manifest/strategy-files.ts'
import { PROJECT_FOLDER } from '../project.ts'

/** A warning for every strategy file that imports sources of information other than its market data. */
export function outsideImports(strategies: readonly string[]): readonly string[] {
  return [...new Set(strategies)].flatMap(file => {
    const outside = outsideOf(file)
    if (outside.length === 0) return []
    return `${file} imports ${outside.join(', ')}: its decisions may depend on more than its market data, so this result proves nothing. Leave these imports out.`
  })
}

function outsideOf(file: string): readonly string[] {
  try {
    return strategyFiles(file, PROJECT_FOLDER).outside
  } catch {
    return [] // loading the file reports that it cannot be read
  }
}
