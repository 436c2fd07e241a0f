import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { programOf } from '../../src/cli/command-line.ts'
import { requireNothingSwallowed } from '../../src/cli/swallowed-options.ts'
import { ROOT } from './sluice-process.ts'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const program = programOf({ out: process.stdout, err: process.stderr }, () => {})

/** Runs a script as npm does that kept `settings` for itself, and hands on `words`. */
function run(script: string, words: readonly string[], settings: Readonly<Record<string, string>>) {
  const kept = Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value])
  requireNothingSwallowed(program, [script, ...words], {
    npm_lifecycle_event: script,
    npm_lifecycle_script: scripts[script],
    ...Object.fromEntries(kept),
  })
}

/** Form of the line that the answer asks for. */
function answerTo(...given: Parameters<typeof run>): string | undefined {
  try {
    run(...given)
  } catch (error) {
    return /it:\n {2}(.*)$/.exec(String(error))?.[1]
  }
  return undefined
}

describe('an option that npm kept for itself is answered with the form of the line to type', () => {
  // Arguments that npm 11 passes on, and the settings that it makes of the options, for the line in the comment.
  it.each([
    // npm start --config x.yaml
    ['start', ['x.yaml'], { config: 'true' }, 'npm start -- --config <file>'],
    // npm start --config=x.yaml
    ['start', [], { config: 'x.yaml' }, 'npm start -- --config <file>'],
    // npm start --plan (npm reads it as -p -l -a -n)
    ['start', [], { all: 'true', long: 'true', parseable: 'true' }, 'npm start -- --plan'],
    // npm run backtest --bounds a.ts --symbol BTC/USDT
    [
      'backtest',
      ['a.ts', 'BTC/USDT'],
      { bounds: 'true', symbol: 'true' },
      'npm run backtest -- --symbol <symbol> --bounds',
    ],
    // npm run backtest --to 2020 (npm reads --to as --token-description)
    ['backtest', [], { token_description: '2020' }, 'npm run backtest -- --to <time>'],
    // npm run klines generate --seed 3
    ['klines', ['generate', '3'], { seed: 'true' }, 'npm run klines -- generate --seed <number>'],
  ])('%s %j %j', (script, words, settings, line) => {
    expect(answerTo(script, words, settings)).toBe(line)
  })

  it('and with the reason', () => {
    expect(() => run('start', ['x.yaml'], { config: 'true' })).toThrow(
      'npm kept --config for itself, because no -- stands before the options; type them after it:\n  npm start -- --config <file>',
    )
  })

  it('of every command that is a script', () => {
    for (const [names, { options }] of commandsOf(program)) {
      const [script = '', ...words] = names
      expect(scripts).toHaveProperty(script)
      for (const { long } of options) {
        const name = long?.slice(2).replaceAll('-', '_') ?? ''
        // Which npm makes other settings of, above.
        if (name === 'plan' || name === 'to') continue
        expect(answerTo(script, words, { [name]: 'true' }), `${names.join(' ')} ${long}`).toContain(long)
      }
    }
  })
})

function commandsOf({ commands }: Command, names: readonly string[] = []): [readonly string[], Command][] {
  return commands.flatMap(command => {
    const own = [...names, command.name()]
    return command.commands.length > 0
      ? commandsOf(command, own)
      : [[own, command] as [readonly string[], Command]]
  })
}

describe('nothing is said', () => {
  it('where npm kept nothing', () => {
    expect(answerTo('start', ['--config', 'x.yaml'], { loglevel: 'error', long: 'true' })).toBeUndefined()
  })

  it('of an option that is given after -- too', () => {
    expect(answerTo('start', ['--json'], { json: 'true' })).toBeUndefined()
  })

  it('in a process that another script has started, with options of its own', () => {
    const environment = {
      npm_lifecycle_event: 'test',
      npm_lifecycle_script: 'vitest run',
      npm_config_config: 'true',
    }
    expect(() => requireNothingSwallowed(program, ['start'], environment)).not.toThrow()
    expect(() => requireNothingSwallowed(program, ['start'], { npm_config_config: 'true' })).not.toThrow()
  })
})
