import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { simulationOptions } from './simulation-options.ts'

/** Runs the simulation with arguments. */
function simulated(...given: readonly string[]) {
  const main = new URL('../main.ts', import.meta.url).pathname
  return spawnSync(process.execPath, [main, ...given], { encoding: 'utf8' })
}

describe('the command line of the simulation', () => {
  it.each([
    [['--seeds', '0'], 'Give a whole number of at least 1.'],
    [['--from', '-1'], 'Give a whole number of at least 0.'],
    [['--only', 'swap'], 'Allowed choices are spot, futures, both.'],
    [['--margin'], "option '--margin <how>' argument missing"],
    [['--margin', 'only'], 'Allowed choices are instead, beside.'],
    [['--dialect', 'koinbey'], 'Allowed choices are drawn, document, koinbay,'],
    [['--sedes', '7'], '(Did you mean --seeds?)'],
    [['7'], 'Expected 0 arguments but got 1'],
  ])('says what is wrong with %j, and ends with 2', (given, sentence) => {
    const exit = vi.spyOn(process, 'exit').mockImplementation(code => {
      throw new Error(`exit ${code}`)
    })
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => {
      exit.mockRestore()
      written.mockRestore()
    })
    expect(() => simulationOptions(given)).toThrow('exit 2')
    expect(written.mock.calls.join('')).toContain(sentence)
  })

  it('ends as a process with 2 and nothing on its output', () => {
    const { status, stderr, stdout } = simulated('--seeds', '0')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Give a whole number of at least 1.')
  })

  it('plays a seed to the same end twice', () => {
    const [first, second] = [
      simulated('--seeds', '1', '--from', '20'),
      simulated('--seeds', '1', '--from', '20'),
    ]
    expect(first.status).toBe(0)
    const digest = /^Digest [0-9a-f]{64}\.$/m.exec(first.stdout)?.[0]
    expect(digest).toBeDefined()
    expect(second.stdout).toContain(digest)
  })
})
