import { expect, it } from 'vitest'
import { withoutProgress } from '../cli/without-progress.ts'
import { blocksOf, commandsIn, pageText } from '../docs/guide-pages.ts'
import { copyOfProject, runIn } from '../project-copy.ts'

const PAGE = 'from-idea-to-verdict.md'
const BLOCKS = blocksOf(PAGE)

/** Figures of the backtest that the text below it tells, losses without their sign. */
const TOLD = ['Total return', 'Buy and hold', 'Round trips', 'Win rate']

/** Exit codes of a verdict that is no edge. */
const VERDICTS: Readonly<Record<string, number>> = { 'Verdict: undecided.': 3, 'Verdict: no edge.': 4 }

it('from an idea to a verdict, every command works in a clean copy and writes what the page shows of it', async () => {
  const folder = copyOfProject()
  let written: readonly string[] = []
  for (const block of BLOCKS) {
    if (block.kind === 'text') {
      const lines = block.text.trimEnd().split('\n')
      expect(lines.filter(line => !written.includes(line))).toEqual([])
      continue
    }
    for (const command of commandsIn(block)) {
      // Tests keep no study unless they say so.
      const { exitCode, out, err } = await runIn(folder, 'sh', '-c', `unset SLUICE_STUDY; ${command}`)
      written = out.split('\n')
      if (command.includes(' backtest ')) {
        const figures = TOLD.map(label => new RegExp(`${label} +-?([\\d.]+%?)`).exec(out)?.[1])
        expect(figures.filter(figure => !pageText(PAGE).includes(` ${figure}`))).toEqual([])
      }
      const [, verdict = ''] = written
      expect([command, exitCode, withoutProgress(err)]).toEqual([command, VERDICTS[verdict] ?? 0, ''])
    }
  }
})
