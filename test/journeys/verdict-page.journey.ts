import { expect, it } from 'vitest'
import { withoutProgress } from '../cli/without-progress.ts'
import { blocksOf, commandsIn } from '../docs/guide-pages.ts'
import { copyOfProject, runIn } from '../project-copy.ts'

const BLOCKS = blocksOf('from-idea-to-verdict.md')

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
      const [, verdict = ''] = written
      expect([command, exitCode, withoutProgress(err)]).toEqual([command, VERDICTS[verdict] ?? 0, ''])
    }
  }
})
